import { RpcError } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { spawnFailure } from './rpc-failure.js';

const what = { processId: 'p', command: 'make', cwd: '/nope' };

describe('spawnFailure', () => {
  it('names program and folder, and knows from the data which of them is missing', () => {
    const text = 'No such file or directory (os error 2)';
    const failure = (data?: object) => spawnFailure(new RpcError(-32603, text, data && { data }), what);
    const message = `cannot start make in /nope: ${text}`;
    expect(failure({ cwd: '/nope' })).toMatchObject({
      message,
      details: { reason: 'cwdMissing' },
      hint: 'The working directory /nope does not exist there.',
    });
    expect(failure({ program: 'make' })).toMatchObject({
      message,
      details: { reason: 'notFound' },
      hint: 'The program does not exist there.',
    });
    expect(failure()).toMatchObject({
      message,
      details: { reason: 'notFound' },
      hint: 'The program or the working directory does not exist there.',
    });
  });

  it.each([
    ['Permission denied (os error 13)', 'may not be entered'],
    ['Not a directory (os error 20)', 'is no directory'],
  ])('says of a folder that cannot be used: %s', (text, words) => {
    const error = new RpcError(-32603, text, { data: { cwd: '/nope' } });
    expect(spawnFailure(error, what)).toMatchObject({ hint: `The working directory /nope ${words} there.` });
  });
});
