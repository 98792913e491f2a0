// `fs/watchMissing`: between the wire and the watch over missing paths.

import type { RestrictedFiles } from '@codex/exec-files';
import { parsePathArgument, toRpcError } from '@codex/exec-files';
import type { ParamsOf } from '@codex/exec-protocol';
import { type Launcher, locateNative } from '@codex/launcher';
import { FILE_ORDER } from '../files/connection-files.js';
import { MissingWatches } from '../files/missing-watches.js';
import { watcherChooser } from './choose-for-sandbox.js';
import type { Handlers, RequestContext, SliceKey } from './handler-table.js';

export interface WatchMissingConfig {
  readonly launcher?: Launcher;
  readonly restrictedFiles?: RestrictedFiles;
}

export function watchMissingHandlers({ launcher, restrictedFiles }: WatchMissingConfig): Handlers {
  const watchProgram = launcher === undefined ? locateNative() : launcher.nativePath;
  const chooseWatcher = watcherChooser(restrictedFiles);
  const slice: SliceKey<MissingWatches> = {
    create: ({ signal }) => {
      const watches = new MissingWatches(watchProgram);
      if (signal.aborted) watches.end();
      else signal.addEventListener('abort', () => watches.end(), { once: true });
      return watches;
    },
  };

  const handleWatchMissing = (params: ParamsOf<'fs/watchMissing'>, context: RequestContext) => {
    const { watchId } = params;
    const { connection } = context;
    const missing = params.missing.map((path) => parsePathArgument(path).native);
    const { present: given } = params;
    const present = given === null || given === undefined ? undefined : parsePathArgument(given).native;
    const watches = connection.slice(slice);
    return connection
      .slice(FILE_ORDER)
      .read(async () => {
        const watcher = await chooseWatcher(params.sandbox, context);
        const notice = await watches.add({ watchId, missing, present, watcher });
        context.afterReply(() =>
          notice?.tell(() => connection.peer.notify('fs/missingChanged', { watchId })),
        );
        return { watching: notice !== undefined };
      })
      .catch(rethrow);
  };

  return { 'fs/watchMissing': handleWatchMissing };
}

function rethrow(error: unknown): never {
  throw toRpcError(error);
}
