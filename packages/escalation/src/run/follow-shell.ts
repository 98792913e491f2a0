// Follows a shell to its end: by itself, by the clock, or because the call is no longer wanted.
import { shellExitCode } from '@codex/launcher';
import { describeLostMount, findDenial, type PreparedSandbox } from '@codex/sandbox';
import type { CallQuestions } from '../decide/questions.js';
import { EscalationError } from '../escalation-error.js';
import type { CallClock } from './call-clock.js';
import type { CallOutput } from './call-output.js';
import type { RunningShell } from './running-shell.js';
import { type ShellCall, type ShellResult, TIMEOUT_EXIT } from './shell-call.js';

export interface FollowedShell {
  readonly shell: RunningShell;
  readonly output: CallOutput;
  readonly prepared: PreparedSandbox;
}

export interface FollowOptions {
  readonly call: ShellCall;
  readonly clock: CallClock;
  readonly questions: CallQuestions;
}

/** An end that was not observed. */
const UNKNOWN_EXIT = -1;
/** How long an answer waits for the host to be put right, where children in the background may keep it from that. */
const HOST_RESTORE_WAIT_MS = 100;
/** How long the last words of a failed command are waited for: they say whether it was denied something. */
const VERDICT_WAIT_MS = 20;

/** Rejects with the reason of the call's signal, when nothing is left of the shell. */
export async function followShell(
  started: FollowedShell,
  options: FollowOptions,
): Promise<Omit<ShellResult, 'durationMs' | 'notes'>> {
  const { shell, output, prepared } = started;
  const { call, clock, questions } = options;
  const cancel = (): void => shell.end();
  clock.whenExpired(cancel);
  call.signal.addEventListener('abort', cancel);
  if (call.signal.aborted) cancel();
  try {
    const status = await shell.exited();
    clock.cancel();
    questions.close();
    const timedOut = clock.isExpired;
    if (timedOut || isAborted(call)) await shell.gone;
    call.signal.throwIfAborted();
    await output.lastOutputRead();
    const exitCode = timedOut ? TIMEOUT_EXIT : (shellExitCode(status) ?? UNKNOWN_EXIT);
    if (exitCode !== 0) await soon(output.ended, VERDICT_WAIT_MS);
    // A caller that looks when it is answered finds its files as they are.
    if (prepared.changesHost) await soon(shell.gone, HOST_RESTORE_WAIT_MS);
    call.signal.throwIfAborted();
    if (status.lostMount !== undefined) output.say(describeLostMount(status.lostMount));
    const { both, stdout, stderr } = output.seal();
    if (!timedOut && !shell.commandStarted()) {
      throw new EscalationError('SHELL_NOT_STARTED', `the sandbox did not start: ${stderr.text.trim()}`);
    }
    const texts = { stdout: stdout.text, stderr: stderr.text };
    const { network } = call.sandbox.policy;
    const denial = findDenial({ sandbox: prepared.type, exitCode, ...texts, network });
    return {
      exitCode,
      output: both.text,
      ...texts,
      timedOut,
      omittedBytes: both.omittedBytes,
      denial: timedOut || status.lostMount !== undefined ? undefined : denial,
    };
  } finally {
    call.signal.removeEventListener('abort', cancel);
  }
}

function isAborted({ signal }: ShellCall): boolean {
  return signal.aborted;
}

function soon(event: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void event.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
