import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OutputCapture } from '../../captured.js';
import type { Outcome } from '../../result.js';
import { RunResult } from './run-result.js';

function result({ maxBytes = 1000, outcome }: { maxBytes?: number; outcome?: Outcome } = {}): RunResult {
  const captured = (text: string) => {
    const capture = new OutputCapture(maxBytes);
    capture.push(new TextEncoder().encode(text));
    return capture.snapshot();
  };
  return new RunResult({
    outcome: outcome ?? { kind: 'exited', exitCode: 3 },
    stdout: captured('hello there\n'),
    stderr: captured('oops\n'),
    output: captured('hello there\noops\n'),
    command: 'x',
    cwd: '/',
    durationMs: 5,
    processId: 'p',
    pipesHeldOpen: false,
  });
}

describe('a result', () => {
  it('shows its output in a log', () => {
    const shown = inspect(result());
    expect(shown).toMatch(/^Result \{/);
    expect(shown).toContain("stdout: 'hello there\\n'");
    expect(shown).toContain("stderr: 'oops\\n'");
    expect(inspect(result().stdout)).toBe("Captured { text: 'hello there\\n', totalBytes: 12 }");
    expect(inspect(result({ maxBytes: 4 }))).toContain('omittedBytes: 8');
  });

  it('takes its output along as JSON', () => {
    expect(JSON.parse(JSON.stringify(result()))).toEqual({
      ok: false,
      outcome: { kind: 'exited', exitCode: 3 },
      exitCode: 3,
      stdout: { text: 'hello there\n', totalBytes: 12, omittedBytes: 0, gaps: [], complete: true },
      stderr: { text: 'oops\n', totalBytes: 5, omittedBytes: 0, gaps: [], complete: true },
      command: 'x',
      cwd: '/',
      durationMs: 5,
      processId: 'p',
      pipesHeldOpen: false,
    });
  });

  it('says in its errors whether the command ran', () => {
    const thrown = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    expect(thrown(() => result().json())).toMatchObject({ code: 'output.invalid', admitted: true });
    expect(thrown(() => result({ maxBytes: 4 }).json())).toMatchObject({ admitted: true });
    const timedOut = { kind: 'timedOut', exitCode: null, timeoutMs: 5 } as const;
    const failure = (started?: false | 'unknown') =>
      thrown(() =>
        result({ outcome: { ...timedOut, ...(started === undefined ? {} : { started }) } }).orThrow(),
      );
    expect(failure()).toMatchObject({ code: 'process.failed', admitted: true });
    expect(failure('unknown')).toMatchObject({ admitted: 'unknown' });
    expect(failure(false)).toMatchObject({
      admitted: false,
      message: expect.stringContaining('not started'),
    });
  });
});
