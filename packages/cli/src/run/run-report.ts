// `exec-server run --json`: how the command ended and what it printed, as one line for a script.

import type { Outcome } from '@codex/exec-client';
import { errorCode } from '../connect/error-code.js';
import { failureSentence } from '../connect/failure-sentence.js';
import { OutputRecord } from './output-record.js';

export class RunReport {
  readonly stdout = new OutputRecord();
  readonly stderr = new OutputRecord();
  readonly #startedAt = performance.now();
  #lostBytes = 0;
  #outcome: Outcome | undefined;

  lost(bytes: number | null): void {
    this.#lostBytes += bytes ?? 0;
  }

  ended(outcome: Outcome): void {
    this.#outcome = outcome;
  }

  /** `code` is the exit code of this program. */
  of(code: number): object {
    return {
      ...(this.#outcome === undefined ? { kind: 'failed' } : outcomeReport(this.#outcome)),
      code,
      durationMs: Math.round(performance.now() - this.#startedAt),
      ...this.stdout.report('stdout'),
      ...this.stderr.report('stderr'),
      omittedBytes: this.stdout.omittedBytes + this.stderr.omittedBytes,
      lostBytes: this.#lostBytes,
    };
  }
}

/** The command was not run, or its end is unknown. */
export function failureReport(error: unknown, code: number): object {
  return { kind: 'failed', code, error: { code: errorCode(error), message: failureSentence(error) } };
}

function outcomeReport(outcome: Outcome): object {
  switch (outcome.kind) {
    case 'lost':
      return {
        kind: 'lost',
        exitCode: null,
        error: { code: outcome.error.code, message: failureSentence(outcome.error) },
      };
    case 'aborted':
      return { kind: 'aborted', exitCode: outcome.exitCode };
    case 'exited':
    case 'denied':
    case 'timedOut':
    case 'terminated':
      return outcome;
  }
}
