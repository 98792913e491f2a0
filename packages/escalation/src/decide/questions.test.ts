import { describe, expect, it } from 'vitest';
import { type Answer, CallQuestions, MOST_QUESTIONS } from './questions.js';

const NEVER = new AbortController().signal;
const accept = async (): Promise<Answer> => ({ type: 'accept' });

describe('CallQuestions', () => {
  it('denies the rest of the call unasked after a cancel', async () => {
    let asked = 0;
    const questions = new CallQuestions({
      ask: async () => ({ type: ++asked === 2 ? 'cancel' : 'accept' }),
    });
    expect(await questions.ask('1', NEVER)).toEqual({ isGiven: true });
    const cancelled = { isGiven: false, reason: 'User cancelled execution' };
    expect(await questions.ask('2', NEVER)).toEqual(cancelled);
    expect(await questions.ask('3', NEVER)).toEqual(cancelled);
    expect(asked).toBe(2);
  });

  it('counts a question that was open beside the cancelled one as cancelled', async () => {
    const answers: ((answer: Answer) => void)[] = [];
    const questions = new CallQuestions({ ask: () => new Promise((resolve) => answers.push(resolve)) });
    const both = [questions.ask('1', NEVER), questions.ask('2', NEVER)];
    answers[0]?.({ type: 'cancel' });
    answers[1]?.({ type: 'accept' });
    expect((await Promise.all(both)).map(({ isGiven }) => isGiven)).toEqual([false, false]);
  });

  it('remembers no answer', async () => {
    let asked = 0;
    const questions = new CallQuestions({
      ask: async () => {
        asked += 1;
        return { type: 'accept' };
      },
    });
    await questions.ask('the same', NEVER);
    await questions.ask('the same', NEVER);
    expect(asked).toBe(2);
  });

  it('asks only so often', async () => {
    const questions = new CallQuestions({ ask: accept });
    for (let count = 0; count < MOST_QUESTIONS; count += 1) {
      expect((await questions.ask('?', NEVER)).isGiven).toBe(true);
    }
    expect(await questions.ask('?', NEVER)).toEqual({
      isGiven: false,
      reason: 'more than 20 questions in one call',
    });
  });

  it('lets a late answer run nothing', async () => {
    const gone = new AbortController();
    const questions = new CallQuestions({
      ask: async () => {
        gone.abort();
        return { type: 'accept' };
      },
    });
    expect((await questions.ask('?', gone.signal)).isGiven).toBe(false);
  });

  it('nor one that comes in the same moment', async () => {
    const gone = new AbortController();
    const answer = Promise.resolve<Answer>({ type: 'accept' });
    void answer.then(() => undefined).then(() => gone.abort());
    const questions = new CallQuestions({ ask: () => answer });
    expect((await questions.ask('?', gone.signal)).isGiven).toBe(false);
  });

  it('asks nobody once the call is over', async () => {
    const questions = new CallQuestions({ ask: accept });
    questions.close();
    expect((await questions.ask('?', NEVER)).isGiven).toBe(false);
  });

  it('stands the clock while a question is open, also when it fails', async () => {
    const events: string[] = [];
    const questions = new CallQuestions({
      ask: async () => {
        events.push('asked');
        throw new TypeError('broken');
      },
      pauseClock: () => {
        events.push('paused');
        return () => events.push('resumed');
      },
    });
    await questions.ask('?', NEVER);
    expect(events).toEqual(['paused', 'asked', 'resumed']);
  });
});
