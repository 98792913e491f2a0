import { ExecServerError, type Outcome } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { codeOfFailure, codeOfOutcome } from './exit-codes.js';

describe('codeOfOutcome', () => {
  it.each<[Outcome, NodeJS.Signals | undefined, number]>([
    [{ kind: 'exited', exitCode: 3 }, undefined, 3],
    [{ kind: 'exited', exitCode: 143, signal: 'SIGTERM' }, undefined, 143],
    [{ kind: 'exited', exitCode: -1 }, undefined, 255],
    [{ kind: 'exited', exitCode: 256 }, undefined, 125],
    [{ kind: 'exited', exitCode: -2_147_483_648 }, undefined, 125],
    [{ kind: 'denied', exitCode: 1, denial: { sandboxType: 'linuxSeccomp' } }, undefined, 1],
    [{ kind: 'timedOut', exitCode: 137, timeoutMs: 5 }, undefined, 124],
    [{ kind: 'terminated', exitCode: 137 }, 'SIGINT', 130],
    [{ kind: 'terminated', exitCode: null }, 'SIGPIPE', 141],
    [{ kind: 'terminated', exitCode: null }, undefined, 137],
  ])('%j %s', (outcome, stoppedBy, code) => {
    expect(codeOfOutcome(outcome, stoppedBy)).toBe(code);
  });
});

describe('codeOfFailure', () => {
  it.each([
    ['notFound', 127],
    ['notExecutable', 126],
    ['cwdMissing', 125],
    ['sandbox', 125],
    ['other', 125],
  ] as const)('%s', (reason, code) => {
    const error = new ExecServerError('process.spawn', 'x', { details: { command: 'x', cwd: '/', reason } });
    expect(codeOfFailure(error)).toBe(code);
  });

  it('anything else is a failure of the tool', () => {
    expect(codeOfFailure(new Error('x'))).toBe(125);
  });
});
