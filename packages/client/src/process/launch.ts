// Starts a process, or takes one up again, and wires its handle: feed first, then the request.

import { type ProcessReadResult, RpcError } from '@codex/exec-protocol';
import type { Capabilities } from '../capabilities.js';
import { type Clock, sleep } from '../clock.js';
import { abortedError, ExecServerError } from '../exec-server-error.js';
import { fromFileUri } from '../fs/remote-path.js';
import { spawnFailure } from '../rpc-failure.js';
import type { CommandLine } from '../run/command-line.js';
import type { SessionLink } from '../session/session-link.js';
import { ProcessFeed } from './process-feed.js';
import type { ProcessRegistry } from './process-registry.js';
import { unknownProcess } from './process-stdin.js';
import { RemoteProcess } from './remote-process.js';
import type { SpawnOptions } from './spawn-options.js';
import { startParams, stdinMode } from './start-params.js';

export interface LaunchContext {
  readonly link: SessionLink;
  readonly registry: ProcessRegistry;
  readonly capabilities: Capabilities;
  readFile(path: string): Promise<Uint8Array>;
}

const BUFFER_BYTES = 16 * 1024 * 1024;
const CAPTURE_BYTES = 1024 * 1024;
const STARTING_RETRY_MS = 50;
const STARTING_ATTEMPTS = 40;

export async function launch(
  context: LaunchContext,
  line: CommandLine,
  options: SpawnOptions,
): Promise<RemoteProcess> {
  const { link, registry, capabilities } = context;
  const { signal } = options;
  if (signal?.aborted === true) throw abortedError('spawn', signal.reason);
  const params = startParams(line.argv, options, { info: link.info, capabilities });
  const { processId } = params;
  if (registry.has(processId)) {
    throw new ExecServerError('process.idInUse', `process id ${processId} is in use`, {
      details: { processId },
    });
  }
  const feed = createFeed(context, processId, options);
  const startedAtMs = link.clock.now();
  registry.add(feed);
  const handle = new RemoteProcess({
    link,
    feed,
    capabilities,
    command: line.shown,
    cwd: fromFileUri(params.cwd),
    stdinMode: stdinMode(options),
    stop: options.stop ?? {},
    startedAtMs,
    release: () => registry.remove(feed),
    readFile: context.readFile,
  });
  const started = requestStart(context, feed, params);
  try {
    await untilGivenUp(started, { clock: link.clock, signal, timeoutMs: options.timeoutMs });
  } catch (error) {
    // Whoever gave up waiting does not want what may still start.
    if (isGivenUp(error)) void started.then(() => handle.terminate()).catch(() => undefined);
    registry.remove(feed);
    throw spawnFailure(error, { processId, command: line.shown, cwd: fromFileUri(params.cwd) });
  }
  guard(handle, feed, options);
  return handle;
}

/** Takes up a process of this session that nobody here listens to. */
export async function attachProcess(
  context: LaunchContext,
  target: { readonly processId: string; readonly afterSeq: number },
  options: Pick<SpawnOptions, 'drain' | 'capture' | 'bufferBytes' | 'stop'>,
): Promise<RemoteProcess> {
  const { link, registry, capabilities } = context;
  const { processId, afterSeq } = target;
  const feed = createFeed(context, processId, options, afterSeq);
  registry.add(feed);
  feed.launched();
  await feed.repair();
  if (feed.lost !== undefined) {
    registry.remove(feed);
    throw feed.lost;
  }
  const known = capabilities.supports('process.list')
    ? (await link.call('process/list', null, { repeatable: true })).processes.find(
        (it) => it.processId === processId,
      )
    : undefined;
  return new RemoteProcess({
    link,
    feed,
    capabilities,
    command: known?.argv.join(' ') ?? processId,
    cwd: known === undefined ? '' : fromFileUri(known.cwd),
    // Whether it has an input is not known everywhere; the server says no where it has none.
    stdinMode: known?.tty === true ? 'tty' : 'pipe',
    stop: options.stop ?? {},
    startedAtMs: link.clock.now(),
    release: () => registry.remove(feed),
    readFile: context.readFile,
  });
}

function createFeed(
  { link }: LaunchContext,
  processId: string,
  options: Pick<SpawnOptions, 'drain' | 'capture' | 'bufferBytes'>,
  afterSeq = 0,
): ProcessFeed {
  return new ProcessFeed({
    processId,
    clock: link.clock,
    bufferBytes: options.bufferBytes ?? BUFFER_BYTES,
    captureBytes: options.capture?.maxBytes ?? CAPTURE_BYTES,
    drain: options.drain ?? {},
    afterSeq,
    read: (after) => readMissed(link, processId, after),
  });
}

async function requestStart(
  { link }: LaunchContext,
  feed: ProcessFeed,
  params: ReturnType<typeof startParams>,
): Promise<void> {
  const request = { repeated: false };
  try {
    const onRepeat = (): void => {
      request.repeated = true;
    };
    const options = { repeatable: true, onRepeat };
    const { sandboxType } = await link.call('process/start', params, options);
    feed.sandboxType = sandboxType ?? 'unknown';
  } catch (error) {
    // The first request arrived and its answer was lost: ids are ours, so it is this process that exists.
    const isOurs = request.repeated && error instanceof RpcError && error.message.endsWith('already exists');
    if (!isOurs) throw error;
  }
  feed.launched();
  if (!request.repeated) return;
  await feed.repair();
  if (feed.lost !== undefined) throw await abandonedStart(link, feed.processId);
}

// A server may drop a start together with the connection it came on and keep its id in a state that never ends.
async function abandonedStart(
  link: SessionLink,
  processId: string,
): Promise<ExecServerError<'transport.lost'>> {
  await link
    .call('process/terminate', { processId }, { repeatable: true, control: true })
    .catch(() => undefined);
  const reason = 'the connection broke during process/start, and the server did not finish it';
  return new ExecServerError('transport.lost', reason, {
    details: { reason, sessionId: link.sessionId },
    admitted: 'unknown',
    retryable: true,
    hint: 'Run it again if it does no harm twice.',
  });
}

async function readMissed(
  link: SessionLink,
  processId: string,
  afterSeq: number,
): Promise<ProcessReadResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await link.call(
        'process/read',
        { processId, afterSeq, maxBytes: null, waitMs: 0 },
        { repeatable: true },
      );
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (!error.message.endsWith('is starting') || attempt === STARTING_ATTEMPTS)
        throw unknownProcess(processId);
      await sleep(link.clock, STARTING_RETRY_MS);
    }
  }
}

// From here on the timeout and the signal stop the process instead of the call.
function guard(handle: RemoteProcess, feed: ProcessFeed, { timeoutMs, signal }: SpawnOptions): void {
  const stops: (() => void)[] = [];
  if (timeoutMs !== undefined) {
    const timer = feed.clock.schedule(
      timeoutMs,
      () => void handle.stopBecause({ kind: 'timedOut', timeoutMs }),
    );
    stops.push(() => timer.cancel());
  }
  if (signal !== undefined) {
    const onAbort = (): void => void handle.stopBecause({ kind: 'aborted', reason: signal.reason });
    signal.addEventListener('abort', onAbort, { once: true });
    stops.push(() => signal.removeEventListener('abort', onAbort));
  }
  if (stops.length === 0) return;
  const release = feed.onChange(() => {
    if (feed.isRunning) return;
    release();
    for (const stop of stops) stop();
  });
}

interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

function untilGivenUp(work: Promise<void>, { clock, signal, timeoutMs }: Patience): Promise<void> {
  if (signal === undefined && timeoutMs === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedError('spawn', signal?.reason));
    const onTimeout = (): void => reject(startTimeout(timeoutMs ?? 0));
    const timer = timeoutMs === undefined ? undefined : clock.schedule(timeoutMs, onTimeout);
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      timer?.cancel();
      signal?.removeEventListener('abort', onAbort);
    });
  });
}

function isGivenUp(error: unknown): boolean {
  return ExecServerError.is(error, 'aborted') || ExecServerError.is(error, 'transport.timeout');
}

function startTimeout(timeoutMs: number): ExecServerError<'transport.timeout'> {
  const message = `the server did not answer process/start within ${timeoutMs} ms`;
  return new ExecServerError('transport.timeout', message, {
    details: { method: 'process/start', timeoutMs },
    admitted: 'unknown',
    retryable: true,
  });
}
