// Builds the result of a process from what its feed has collected.

import { ExecServerError } from '../../exec-server-error.js';
import type { Result } from '../../result.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { RunResult } from './run-result.js';

export interface ProcessDescription {
  readonly command: string;
  readonly cwd: string;
  readonly startedAtMs: number;
}

/** Throws while the process runs. */
export function resultOf(feed: ProcessFeed, { command, cwd, startedAtMs }: ProcessDescription): Result {
  const { outcome } = feed;
  if (outcome === undefined) {
    const message = 'the process still runs; use yieldWindow() to look at it';
    throw new ExecServerError('argument.invalid', message, { details: { argument: 'peek' } });
  }
  return new RunResult({
    outcome,
    stdout: feed.stdout.snapshot(),
    stderr: feed.stderr.snapshot(),
    output: feed.output.snapshot(),
    command,
    cwd,
    durationMs: (feed.exit?.at ?? feed.clock.now()) - startedAtMs,
    processId: feed.processId,
    pipesHeldOpen: feed.pipesHeldOpen,
  });
}
