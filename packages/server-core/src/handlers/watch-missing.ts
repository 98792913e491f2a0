// The handler of `fs/watchMissing`.

import type { FileSystems } from '@codex/exec-files';
import { parsePathArgument, toRpcError } from '@codex/exec-files';
import type { ParamsOf } from '@codex/exec-protocol';
import { FILE_ORDER } from '../files/connection-files.js';
import { MissingWatches } from '../files/missing-watches.js';
import type { Handlers, RequestContext, SliceKey } from './handler-table.js';

export function watchMissingHandlers(files: FileSystems): Handlers {
  const slice: SliceKey<MissingWatches> = {
    create: ({ signal }) => {
      const watches = new MissingWatches(files.localWatcher());
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
        const watcher = await files.chooseWatcher(context.session, params.sandbox);
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
