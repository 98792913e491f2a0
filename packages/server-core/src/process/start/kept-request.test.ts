import { expect, it } from 'vitest';
import { keptRequest } from './kept-request.js';

const sandbox = { permissions: { type: 'disabled' } };

it('keeps the policy, which is asked about later', () => {
  const kept = keptRequest({
    processId: 'p',
    argv: ['a'],
    cwd: '/tmp',
    cwdText: 'file:///tmp',
    env: {},
    io: { type: 'pipe', stdin: 'closed' },
    sandbox,
    preparedSandbox: 'none',
  });
  expect(kept.sandbox).toEqual(sandbox);
});

it('keeps nothing long of a request, and nothing that was ignored', () => {
  const long = 'x'.repeat(1_000_000);
  const kept = keptRequest({
    processId: 'p',
    argv: ['a', long],
    arg0: long,
    cwd: '/tmp',
    cwdText: 'file:///tmp',
    env: { BIG: long },
    io: { type: 'pipe', stdin: 'closed' },
    sandbox: { permissions: {}, ignored: long },
    preparedSandbox: 'none',
    metadata: { threadId: long, toolCallId: 'call' },
    shellSnapshot: { scopeId: 's', shell: '/bin/bash', policy: null, overlay: { BIG: long } },
  });
  expect(JSON.stringify(kept).length).toBeLessThan(4000);
  expect(kept).toMatchObject({
    processId: 'p',
    cwd: '/tmp',
    sandbox: null,
    metadata: { toolCallId: 'call' },
  });
});
