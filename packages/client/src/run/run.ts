// Runs a command to its end and collects what it did.

import { capturedFrom } from '../captured.js';
import { ExecServerError } from '../exec-server-error.js';
import { HeadTailBuffer } from '../head-tail-buffer.js';
import { RunResult } from '../process/end/run-result.js';
import type { RemoteProcess } from '../process/remote-process.js';
import { commandLine } from '../process/start/command-line.js';
import { launch } from '../process/start/launch.js';
import type { LaunchContext } from '../process/start/launch-context.js';
import type { NotStarted, Result } from '../result.js';
import type { Command, SpawnOptions } from '../spawn-options.js';
import { readAhead } from './read-ahead.js';
import { checkRunOptions } from './run-option-rules.js';
import { type RunOptions, RunPromise } from './run-promise.js';
import { emulateWholeInput } from './stdin-emulation.js';

const RUN_CAPTURE_BYTES = 64 * 1024 * 1024;

export function run(context: LaunchContext, command: Command, options: RunOptions): RunPromise {
  const process = checkedSpawn(context, command, { capture: { maxBytes: RUN_CAPTURE_BYTES }, ...options });
  const result = collect(process, options).catch((error: unknown) => {
    // An abort before the start is the same outcome as one after it.
    if (ExecServerError.is(error, 'aborted') && options.signal?.aborted === true) {
      const started = error.admitted === false ? false : 'unknown';
      return neverStarted(command, { reason: options.signal.reason, started });
    }
    throw error;
  });
  return new RunPromise(process, result);
}

/** Wrong options reject the promise, as everything does that is wrong with a run. */
async function checkedSpawn(
  context: LaunchContext,
  command: Command,
  options: RunOptions,
): Promise<RemoteProcess> {
  checkRunOptions(options);
  return spawn(context, command, options);
}

/** Starts a process and sends the input it was given, if any. */
export async function spawn(
  context: LaunchContext,
  command: Command,
  options: SpawnOptions,
): Promise<RemoteProcess> {
  const line = commandLine(command, context.link.info);
  const { stdin, tty } = options;
  if (typeof stdin !== 'object') return launch(context, line, options);
  const canEnd = context.capabilities.supports('stdin.end') || (tty !== undefined && tty !== false);
  if (canEnd) {
    const { input, abandon } = readAhead(stdin.data);
    const process = await launch(context, line, options).catch((error: unknown) => {
      abandon();
      throw error;
    });
    // A command may end without reading everything; that is no failure of the start.
    void process.sendInput(input).catch(() => undefined);
    return process;
  }
  const emulated = await emulateWholeInput(line, stdin.data, context.link.info);
  const process = await launch(context, emulated.line, options);
  void process.stdin.write(emulated.bytes).catch(() => undefined);
  return process;
}

async function collect(started: Promise<RemoteProcess>, options: RunOptions): Promise<Result> {
  const process = await started;
  const { onOutput } = options;
  if (onOutput !== undefined) {
    for await (const event of process.events()) if (event.type === 'output') onOutput(event);
  }
  const result = await process.result();
  return options.check === true ? result.orThrow() : result;
}

function neverStarted(
  command: Command,
  abort: { readonly reason: unknown; readonly started: NotStarted },
): Result {
  const nothing = capturedFrom(new HeadTailBuffer(0), []);
  return new RunResult({
    outcome: { kind: 'aborted', exitCode: null, ...abort },
    stdout: nothing,
    stderr: nothing,
    output: nothing,
    command: typeof command === 'string' ? command : 'shell' in command ? command.shell : command.join(' '),
    cwd: '',
    durationMs: 0,
    processId: '',
    pipesHeldOpen: false,
  });
}
