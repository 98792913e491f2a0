// A result as the tool answers it. Clients show a model either the text or the structured content, so both say the same.
import type { ShellResult } from '@codex/escalation';

export interface ShellAnswer {
  readonly exit_code: number;
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration: { readonly secs: number; readonly nanos: number };
  readonly timed_out: boolean;
  readonly truncated: boolean;
  readonly omitted_bytes: number;
  readonly sandbox_denied: boolean;
  readonly notes?: readonly string[];
}

export function shellAnswer(result: ShellResult): ShellAnswer {
  const { durationMs } = result;
  const secs = Math.floor(durationMs / 1000);
  return {
    exit_code: result.exitCode,
    output: result.output,
    stdout: result.stdout,
    stderr: result.stderr,
    duration: { secs, nanos: Math.floor((durationMs - secs * 1000) * 1e6) },
    timed_out: result.timedOut,
    truncated: result.omittedBytes > 0,
    omitted_bytes: result.omittedBytes,
    sandbox_denied: result.denial !== undefined,
    ...(result.notes.length === 0 ? {} : { notes: result.notes }),
  };
}
