import { describe, expect, it } from 'vitest';
import { LeaveKeys } from './leave-keys.js';
import { preparePaste } from './paste.js';
import { Typist } from './typist.js';

function typist() {
  const sent: string[] = [];
  const troubles: string[] = [];
  const answers: ((status: string) => void)[] = [];
  const one = new Typist({
    send: (bytes) => {
      sent.push(new TextDecoder().decode(bytes));
      return new Promise((resolve) => answers.push(resolve));
    },
    onTrouble: (sentence) => troubles.push(sentence),
  });
  const answer = async (status: string): Promise<void> => {
    answers.shift()?.(status);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { one, sent, troubles, answer };
}

describe('what is typed', () => {
  it('goes in order, one message at a time', async () => {
    const { one, sent, answer } = typist();
    for (const key of 'läs\r') one.type(key);
    expect(sent).toEqual(['l']);
    await answer('accepted');
    expect(sent).toEqual(['l', 'äs\r']);
    await answer('accepted');
    one.type('x');
    expect(sent).toEqual(['l', 'äs\r', 'x']);
  });
  it('is forgotten where the command does not take it', async () => {
    const { one, sent, troubles, answer } = typist();
    one.type('a');
    one.type('b');
    await answer('stdinClosed');
    expect(sent).toEqual(['a']);
    expect(troubles).toEqual(['The command has no open input.']);
  });
  it('does not pile up for a command that does not read', () => {
    const { one, troubles } = typist();
    one.type('a');
    for (let block = 0; block < 5; block++) one.type('x'.repeat(60_000));
    expect(troubles).toEqual(['The command does not read what is typed.']);
  });
});

describe('a paste', () => {
  it('cannot leave its brackets, and brings no keys of its own', () => {
    const hostile = 'echo hi\u001b[201~\nrm -rf /\u0003\u009b201~';
    expect(preparePaste(hostile, true)).toMatchObject({
      keys: '\u001b[200~echo hi[201~\rrm -rf /201~\u001b[201~',
      lines: 2,
      removed: 3,
      pressesEnter: false,
    });
  });
  it('says that it presses Enter where the program does not know of pastes', () => {
    expect(preparePaste('a\r\nb\n', false)).toMatchObject({ keys: 'a\rb\r', lines: 2, pressesEnter: true });
    expect(preparePaste('one word', false)).toMatchObject({ keys: 'one word', pressesEnter: false });
  });
});

it('is left by Ctrl-] three times within a second', () => {
  const keys = new LeaveKeys();
  const press = (key: string, now: number): boolean => keys.sees(key, now);
  expect([press('\u001d', 0), press('\u001d', 100), press('x', 150), press('\u001d', 200)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([press('\u001d', 1500), press('\u001d', 1600), press('\u001d', 1700)]).toEqual([false, false, true]);
});
