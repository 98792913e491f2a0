import { RpcError } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { spawnFailure } from './rpc-failure.js';

const what = { processId: 'p', command: 'make', cwd: '/nope' };

describe('spawnFailure', () => {
  it('names program and folder, and knows from the data which of them is missing', () => {
    const text = 'No such file or directory (os error 2)';
    const failure = (data?: object) => spawnFailure(new RpcError(-32603, text, data && { data }), what);
    const message = `cannot start make in /nope: ${text}`;
    expect(failure({ cwd: '/nope' })).toMatchObject({ message, details: { reason: 'cwdMissing' } });
    expect(failure({ program: 'make' })).toMatchObject({ message, details: { reason: 'notFound' } });
    expect(failure()).toMatchObject({ message, details: { reason: 'notFound' } });
  });
});
