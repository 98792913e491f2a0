// Takes up a process that was started elsewhere or detached, and reads what it printed since.

import { fromFileUri } from '../../remote-path.js';
import type { SpawnOptions } from '../../spawn-options.js';
import { RemoteProcess } from '../remote-process.js';
import { createFeed, type LaunchContext } from './launch-context.js';

/** Takes up a process of this session that has no handle in this client. */
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
    ? (await link.ask('process/list', null, { repeatable: true })).processes.find(
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
