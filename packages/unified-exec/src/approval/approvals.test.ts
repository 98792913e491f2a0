import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from './approval.js';
import { Approvals } from './approvals.js';

const request = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  reason: 'policy',
  callId: 'c',
  command: ['/bin/bash', '-lc', 'touch x'],
  cwd: '/project',
  tty: false,
  runs: 'inside',
  escalated: false,
  signal: new AbortController().signal,
  ...more,
});
const retry = request({ reason: 'retryWithoutSandbox', runs: 'outside' });

function asking({
  coversRetry = false,
  ...given
}: {
  readonly coversRetry?: boolean;
  readonly decision?: unknown;
}) {
  const decision = 'decision' in given ? given.decision : { allow: true, remember: 'session' };
  const asked: ApprovalRequest[] = [];
  const approvals = new Approvals({
    approve: (each) => {
      asked.push(each);
      return decision as ApprovalDecision;
    },
    coversRetry,
    events: { asked: () => undefined, answered: () => undefined },
    hold: () => () => undefined,
  });
  return { approvals, asked };
}

describe('an answer', () => {
  it.each([undefined, null, true, 'yes', {}, { allow: 'no' }, { allow: 1 }, []])(
    'that is no decision is no yes: %j',
    async (decision) => {
      const { approvals } = asking({ decision });
      await expect(approvals.require(request())).rejects.toMatchObject({
        code: 'tool.rejected',
        message: expect.stringContaining('neither { allow: true } nor { allow: false }'),
      });
    },
  );

  it('is not asked for when nobody waits for it any more', async () => {
    const { approvals, asked } = asking({});
    const late = request({ signal: AbortSignal.abort() });
    await expect(approvals.require(late)).rejects.toMatchObject({ code: 'tool.aborted' });
    expect(asked).toEqual([]);
  });
});

describe('what is remembered for the session', () => {
  it('counts for the same command, folder, terminal, wish and place, and nothing else', async () => {
    const { approvals, asked } = asking({});
    const all = [
      request(),
      request({ command: ['/bin/bash', '-c', 'touch x'] }),
      request({ command: ['/bin/bash', '-lc', 'touch', 'x'] }),
      request({ command: ['/bin/bash', '-lc', 'touch x '] }),
      request({ cwd: '/project/' }),
      request({ tty: true }),
      request({ escalated: true, runs: 'outside' }),
      // Whoever let it run in the sandbox has not let it out.
      retry,
    ];
    for (const each of [...all, ...all]) await approvals.require(each);
    expect(asked).toEqual(all);
  });

  it('covers the retry out of the sandbox where Codex is followed', async () => {
    const { approvals, asked } = asking({ coversRetry: true });
    for (const each of [request(), retry]) await approvals.require(each);
    expect(asked).toHaveLength(1);
  });

  it('is nothing of input, which means something else each time', async () => {
    const { approvals, asked } = asking({});
    const input = request({ reason: 'input', runs: 'outside', input: { sessionId: 1, chars: 'y\n' } });
    for (const each of [input, input]) await approvals.require(each);
    expect(asked).toHaveLength(2);
    const never = asking({ decision: { allow: false } });
    await expect(never.approvals.require(input)).rejects.toThrow('write_stdin rejected: rejected by user');
  });

  it('is only so much, and nothing of what is very long', async () => {
    const { approvals, asked } = asking({});
    const all = Array.from({ length: 1_001 }, (_, index) => request({ cwd: `/${index}` }));
    for (const each of [...all, ...all.slice(1)]) await approvals.require(each);
    expect(asked).toHaveLength(1_001);
    const long = request({ command: ['x'.repeat(40_000)] });
    for (const each of [long, long]) await approvals.require(each);
    expect(asked.slice(1_001)).toEqual([long, long]);
  });

  it('is nothing without being said, and nothing of a refusal', async () => {
    const once = asking({ decision: { allow: true } });
    for (const each of [retry, retry]) await once.approvals.require(each);
    expect(once.asked).toHaveLength(2);
    const never = asking({ decision: { allow: false, message: 'no' } });
    for (const each of [retry, retry]) await expect(never.approvals.require(each)).rejects.toThrow('no');
    expect(never.asked).toHaveLength(2);
  });
});
