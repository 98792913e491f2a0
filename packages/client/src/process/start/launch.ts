// Starts a process: registers its feed first, so that no output is missed, then sends the request.

import { RpcError } from '@codex/exec-protocol';
import { abortedError, ExecServerError } from '../../exec-server-error.js';
import { fromFileUri } from '../../remote-path.js';
import { spawnFailure } from '../../rpc-failure.js';
import type { SessionLink } from '../../session/session-link.js';
import type { SpawnOptions } from '../../spawn-options.js';
import { nextChange } from '../events/event-iteration.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { RemoteProcess } from '../remote-process.js';
import type { CommandLine } from './command-line.js';
import { createFeed, type LaunchContext } from './launch-context.js';
import { startParams, stdinMode } from './start-params.js';
import { awaitStart } from './start-patience.js';

export async function launch(
  context: LaunchContext,
  line: CommandLine,
  options: SpawnOptions,
): Promise<RemoteProcess> {
  const { link, registry, capabilities } = context;
  const { signal } = options;
  if (signal?.aborted === true) throw abortedError('spawn', signal.reason, false);
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
  try {
    const verdict = await awaitStart({
      clock: link.clock,
      signal,
      timeoutMs: options.timeoutMs,
      answerMs: options.stop?.confirmMs,
      start: (unsent, onSent) => requestStart(context, feed, { params, unsent, onSent }),
      startedLate: () => void handle.terminate().catch(() => undefined),
    });
    if (verdict !== 'started') {
      const started = verdict === 'notSent' ? false : 'unknown';
      feed.stopping({ kind: 'timedOut', timeoutMs: options.timeoutMs ?? 0, started });
      // The server may be slow and not dead: whatever starts after all is ended.
      if (verdict === 'unanswered') void handle.terminate().catch(() => undefined);
      feed.abandon();
      registry.remove(feed);
      return handle;
    }
  } catch (error) {
    registry.remove(feed);
    throw spawnFailure(error, { processId, command: line.shown, cwd: fromFileUri(params.cwd) });
  }
  guard(handle, feed, options);
  return handle;
}

interface StartCall {
  readonly params: ReturnType<typeof startParams>;
  readonly unsent: AbortSignal;
  onSent(): void;
}

async function requestStart(
  { link }: LaunchContext,
  feed: ProcessFeed,
  { params, unsent, onSent }: StartCall,
): Promise<void> {
  const request = { repeated: false };
  try {
    const onRepeat = (): void => {
      request.repeated = true;
    };
    const options = { repeatable: true, onRepeat, unsent, onSent };
    const { sandboxType } = await link.call('process/start', params, options);
    feed.sandboxType = sandboxType ?? 'unknown';
  } catch (error) {
    // The first request arrived and its answer was lost: ids are ours, so it is this process that exists.
    const isOurs = request.repeated && error instanceof RpcError && error.message.endsWith('already exists');
    if (!isOurs) throw error;
  }
  feed.launched();
  if (!request.repeated) return;
  await Promise.race([feed.repair(), heardOf(feed)]);
  if (feed.lost !== undefined) throw await abandonedStart(link, feed.processId);
}

/** An event of it shows that it runs. To wait for all that it has said would keep that from its reader, until the oldest is dropped. */
async function heardOf(feed: ProcessFeed): Promise<void> {
  while (feed.log.lastSeq === 0 && !feed.isSettled) await nextChange(feed);
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
    details: { reason: 'connectionLost', sessionId: link.sessionId },
    admitted: 'unknown',
    retryable: true,
    hint: 'Run it again if it does no harm twice.',
  });
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
