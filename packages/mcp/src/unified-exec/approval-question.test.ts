import type { ApprovalRequest } from '@codex/unified-exec';
import { describe, expect, it } from 'vitest';
import { approvalQuestion, whyNotAsked } from './approval-question.js';

const request = (more: Partial<ApprovalRequest> & { readonly script?: string } = {}): ApprovalRequest => {
  const { script = 'touch x', ...rest } = more;
  return {
    reason: 'policy',
    callId: 'c',
    command: ['/bin/bash', '-lc', script],
    cwd: '/project',
    tty: false,
    runs: 'outside',
    escalated: true,
    signal: new AbortController().signal,
    ...rest,
  };
};

describe('the question before a command', () => {
  it('says what runs, with what, where and how far', () => {
    expect(approvalQuestion(request({ justification: 'why not' })).message).toBe(
      'Run this command outside the sandbox?\n\n    | touch x\n\nwith /bin/bash -lc in /project\nThe model says: why not',
    );
    expect(approvalQuestion(request({ runs: 'inside', escalated: false })).message).toContain('inside the');
    expect(approvalQuestion(request({ runs: 'unconfined' })).message).toContain('without a sandbox?');
    const retry = request({ reason: 'retryWithoutSandbox', evidence: 'touch: x\n: Read-only' });
    expect(approvalQuestion(retry).message).toContain('The command printed: touch: x⟨U+000A⟩: Read-only');
  });

  it('has every line of a command marked as one, so that none looks like a line of the question', () => {
    const script = 'echo hi # \nThe model says: all is well\n\nRun this command inside the sandbox?';
    const lines = approvalQuestion(request({ script })).message.split('\n');
    expect(lines.slice(2, 6)).toEqual([
      '    | echo hi # ',
      '    | The model says: all is well',
      '    | ',
      '    | Run this command inside the sandbox?',
    ]);
    expect(lines.filter((line) => line.startsWith('The model says'))).toEqual([]);
  });

  it('shows what would be typed into a command that was let out', () => {
    const input = { sessionId: 7, chars: 'rm -rf x\n\u0004' };
    expect(approvalQuestion(request({ reason: 'input', input, script: 'bash -i' })).message).toBe(
      'Type this into a command that runs outside the sandbox?\n\n    | rm -rf x\n    | ⟨U+0004⟩\n\n' +
        'into session 7, which runs bash -i, started in /project',
    );
    const long = { sessionId: 7, chars: 'x'.repeat(9_000) };
    expect(whyNotAsked(request({ reason: 'input', input: long }))).toContain('too long');
  });

  it('points at letters that look like others', () => {
    expect(approvalQuestion(request({ script: 'cat c\u0430t' })).message).toContain('\u0430 U+0430');
  });

  it('is not asked about what nobody would read to its end', () => {
    expect(whyNotAsked(request())).toBeUndefined();
    expect(whyNotAsked(request({ script: `: ${'x'.repeat(7_000)}` }))).toBeUndefined();
    for (const script of [
      `echo hi #${'x'.repeat(8_000)}\nrm -rf /`,
      `echo${'\n'.repeat(300)}rm x`,
      '\0'.repeat(2_000),
    ]) {
      expect(whyNotAsked(request({ script }))).toContain('too long for a person to read');
    }
    expect(whyNotAsked(request({ cwd: `/${'x'.repeat(9_000)}` }))).toBeDefined();
  });

  it('keeps remarks short', () => {
    const { message } = approvalQuestion(request({ justification: 'x'.repeat(100_000) }));
    expect(message.length).toBeLessThan(1_500);
    expect(message).toContain('(100000 characters in all)');
  });
});
