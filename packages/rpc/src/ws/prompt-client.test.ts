import { describe, expect, it } from 'vitest';
import { AwakeLoop, PromptClient } from './prompt-client.js';

function setUp() {
  let now = 0;
  let turn: (() => void) | undefined;
  const loop = new AwakeLoop({
    now: () => now,
    nextTurn: (next) => {
      turn = next;
    },
  });
  return {
    client: new PromptClient(loop),
    other: new PromptClient(loop),
    /** Whether the loop is kept turning. */
    isAwake: () => turn !== undefined,
    pass(ms: number) {
      now += ms;
      const due = turn;
      turn = undefined;
      due?.();
    },
  };
}

/** Asks and is answered, twice in a row: it is prompt from then on, and waited for. */
function becomePrompt(client: PromptClient): void {
  for (let round = 0; round < 2; round++) {
    client.asked();
    client.sent();
  }
}

describe('PromptClient', () => {
  it('is not waited for until it was prompt once', () => {
    const { client, isAwake, pass } = setUp();
    client.asked();
    client.sent();
    expect(isAwake()).toBe(false);
    pass(0.1);
    client.asked();
    client.sent();
    expect(isAwake()).toBe(true);
  });

  it('is waited for during a moment only', () => {
    const { client, isAwake, pass } = setUp();
    becomePrompt(client);
    pass(0.1);
    expect(isAwake()).toBe(true);
    pass(0.1);
    expect(isAwake()).toBe(false);
  });

  it('is waited for once, however much is sent to it afterwards', () => {
    const { client, isAwake, pass } = setUp();
    becomePrompt(client);
    client.sent();
    pass(0.2);
    client.sent();
    expect(isAwake()).toBe(false);
  });

  it('is no longer waited for when its request has come', () => {
    const { client, isAwake, pass } = setUp();
    becomePrompt(client);
    client.asked();
    pass(0);
    expect(isAwake()).toBe(false);
  });

  it('loses that when it was late', () => {
    const { client, isAwake, pass } = setUp();
    becomePrompt(client);
    pass(5);
    client.asked();
    client.sent();
    expect(isAwake()).toBe(false);
  });

  it('does not end the wait for another', () => {
    const { client, other, isAwake, pass } = setUp();
    becomePrompt(client);
    becomePrompt(other);
    client.gone();
    pass(0.1);
    expect(isAwake()).toBe(true);
    other.gone();
    pass(0);
    expect(isAwake()).toBe(false);
  });
});
