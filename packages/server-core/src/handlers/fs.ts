// The handlers of `fs/*`. Each parses its paths and takes its place in the order of its connection synchronously, so
// that requests take effect in the order they arrived.

import {
  type FileSystem,
  type FileSystems,
  type FsLimits,
  type NativePath,
  parsePathArgument,
  type RequestedSandbox,
  toRpcError,
} from '@codex/exec-files';
import {
  blockResult,
  type EmptyResult,
  fileResult,
  formatPath,
  type ParamsOf,
  treeResult,
} from '@codex/exec-protocol';
import { ConnectionFiles } from '../files/connection-files.js';
import { checkedBlockLength, decodeBlock, decodeFile } from '../files/file-bytes.js';
import { readBlockForReply, readFileForReply, readTreeForReply } from '../files/reply-bytes.js';
import type { Handlers, RequestContext, SliceKey } from './handler-table.js';

const DONE: EmptyResult = {};

export interface FsConfig {
  readonly fs: FsLimits;
  readonly files: FileSystems;
}

export function fsHandlers({ fs: limits, files: fileSystems }: FsConfig): Handlers {
  const key: SliceKey<ConnectionFiles> = {
    create: (connection) =>
      new ConnectionFiles(connection, { limits, localWatcher: fileSystems.localWatcher() }),
  };
  const choose = (sandbox: RequestedSandbox, { session }: RequestContext) =>
    fileSystems.choose(session, sandbox);
  const filesOf = ({ connection }: RequestContext): ConnectionFiles => connection.slice(key);

  const read = <T>(context: RequestContext, act: (files: ConnectionFiles) => Promise<T>): Promise<T> => {
    const files = filesOf(context);
    return files.order.read(() => act(files)).catch(rethrow);
  };
  /** For an answer that takes no promise: none is made unless something has to be waited for. */
  const readSync = <T>(
    context: RequestContext,
    sandbox: RequestedSandbox,
    look: (fileSystem: FileSystem) => T | undefined,
  ): T | undefined => {
    const fileSystem = fileSystems.direct(sandbox);
    if (fileSystem === undefined || !filesOf(context).order.isFree) return undefined;
    try {
      return look(fileSystem);
    } catch (error) {
      return rethrow(error);
    }
  };
  const change = (
    context: RequestContext,
    act: (files: ConnectionFiles) => Promise<void>,
  ): Promise<EmptyResult> => {
    const files = filesOf(context);
    return files.order.change(() => act(files)).then(() => DONE, rethrow);
  };

  return {
    'fs/readFile': (params, context) => {
      const path = parsePathArgument(params.path).native;
      return read(context, async ({ replyRoom }) => {
        const fileSystem = await choose(params.sandbox, context);
        return readFileForReply({ fileSystem, path, ...follow(params), limits, replyRoom, context });
      }).then(({ bytes, onTaken }) => fileResult(bytes, onTaken));
    },
    'fs/writeFile': (params, context) => {
      const path = parsePathArgument(params.path).native;
      const bytes = context.payload?.bytes ?? decodeFile(params.dataBase64);
      return change(context, async () => {
        const fileSystem = await choose(params.sandbox, context);
        await fileSystem.writeFile(path, bytes, writeOptions(params));
        // A sandboxed helper is not taken at its word: it could read what the memory holds next.
        if (fileSystem === fileSystems.local) context.payload?.free();
      });
    },
    'fs/createDirectory': (params, context) => {
      const path = parsePathArgument(params.path).native;
      const options = { recursive: params.recursive ?? true, ...follow(params) };
      return change(context, async () =>
        (await choose(params.sandbox, context)).createDirectory(path, options),
      );
    },
    'fs/getMetadata': (params, context) => {
      const path = parsePathArgument(params.path).native;
      const options = follow(params);
      return (
        readSync(context, params.sandbox, (files) => files.getMetadataSync?.(path, options)) ??
        read(context, async () => (await choose(params.sandbox, context)).getMetadata(path, options))
      );
    },
    'fs/canonicalize': (params, context) => {
      const { native: path, form } = parsePathArgument(params.path);
      return read(context, async () => (await choose(params.sandbox, context)).canonicalize(path)).then(
        (real) => ({
          path: formatPath(real, form),
        }),
      );
    },
    'fs/readDirectory': (params, context) => {
      const path = parsePathArgument(params.path).native;
      return read(context, ({ searches }) =>
        searches.run(async () =>
          (await choose(params.sandbox, context)).readDirectory(path, limits.maxDirectoryEntries),
        ),
      ).then((entries) => ({ entries }));
    },
    'fs/walk': (params, context) => {
      const { native: path, form } = parsePathArgument(params.path);
      const { pruneHiddenDirectories, ...bounds } = params.options;
      return read(context, ({ searches, signal }) =>
        searches.run(async () =>
          (await choose(params.sandbox, context)).walk(path, {
            ...bounds,
            pruneHiddenDirectories: pruneHiddenDirectories ?? false,
            formatPath: (found) => formatPath(found, form),
            signal,
          }),
        ),
      );
    },
    'fs/remove': (params, context) => {
      const path = parsePathArgument(params.path).native;
      const { recursive, force } = params;
      return change(context, async ({ signal }) =>
        (await choose(params.sandbox, context)).remove(path, {
          recursive: recursive ?? true,
          force: force ?? true,
          ...follow(params),
          signal,
        }),
      );
    },
    'fs/copy': (params, context) => {
      const { source, destination } = locatedPair(params);
      const { recursive } = params;
      return change(context, async ({ signal }) =>
        (await choose(params.sandbox, context)).copy(source, destination, { recursive, signal }),
      );
    },
    'fs/rename': (params, context) => {
      const { source, destination } = locatedPair(params);
      const overwrite = params.overwrite ?? true;
      return change(context, async () =>
        (await choose(params.sandbox, context)).rename(source, destination, { overwrite }),
      );
    },
    'fs/open': (params, context) => {
      const { handleId, mode } = params;
      const path = parsePathArgument(params.path).native;
      const open = (files: ConnectionFiles): Promise<void> =>
        files.handles.open(handleId, async () =>
          (await choose(params.sandbox, context)).open(path, mode ?? 'read'),
        );
      const opened = mode === 'replace' ? change(context, open) : read(context, open);
      return opened.then(() => ({ handleId }));
    },
    'fs/readBlock': (params, context) => {
      const { handleId, offset } = params;
      const length = checkedBlockLength('read', params.len, limits);
      return read(context, ({ handles, replyRoom }) =>
        readBlockForReply({ handles, handleId, offset, length, replyRoom, context }),
      ).then(({ bytes, eof, onTaken }) => blockResult(bytes, eof, onTaken));
    },
    'fs/writeBlock': (params, context) => {
      const { handleId, offset } = params;
      const bytes = context.payload?.bytes ?? decodeBlock(params.chunk);
      checkedBlockLength('write', bytes.byteLength, limits);
      return change(context, ({ handles }) =>
        handles.use(handleId, async (file) => {
          await file.write(offset, bytes);
          if (file.isDoneWithWritten === true) context.payload?.free();
        }),
      );
    },
    'fs/close': ({ handleId }, context) =>
      read(context, ({ handles }) => handles.close(handleId)).then(() => DONE),
    'fs/writeTree': (params, context) => {
      const root = parsePathArgument(params.path).native;
      const bytes = context.payload?.bytes ?? decodeFile(params.dataBase64);
      return change(context, async () => {
        const fileSystem = await choose(params.sandbox, context);
        await fileSystem.writeTree(root, params.entries, bytes);
        if (fileSystem === fileSystems.local) context.payload?.free();
      });
    },
    'fs/readTree': (params, context) => {
      const root = parsePathArgument(params.path).native;
      const { exclude, after, enoughBytes } = params;
      return read(context, async ({ replyRoom, signal }) => {
        const fileSystem = await choose(params.sandbox, context);
        const options = {
          exclude: exclude ?? [],
          after: after ?? undefined,
          enoughBytes: enoughBytes ?? undefined,
          signal,
        };
        return readTreeForReply({ fileSystem, root, options, replyRoom, context });
      }).then(({ bytes, onTaken, ...tree }) => treeResult(bytes, tree, onTaken));
    },
    'fs/watch': (params, context) => {
      const { watchId } = params;
      const recursive = params.recursive ?? false;
      const { native: path, form } = parsePathArgument(params.path);
      const format = (found: NativePath) => formatPath(found, form);
      return read(context, async ({ watches }) => {
        const watcher = await fileSystems.chooseWatcher(context.session, params.sandbox);
        await watches.add({ watchId, path, recursive, formatPath: format, watcher });
      }).then(() => ({ watchId }));
    },
    'fs/unwatch': ({ watchId }, context) =>
      read(context, async ({ watches }) => watches.remove(watchId)).then(() => DONE),
  };
}

function rethrow(error: unknown): never {
  throw toRpcError(error);
}

function locatedPair(params: ParamsOf<'fs/copy'> | ParamsOf<'fs/rename'>) {
  const source = parsePathArgument(params.sourcePath).native;
  const destination = parsePathArgument(params.destinationPath).native;
  return { source, destination };
}

function follow(params: { readonly followSymlinks?: boolean | null }) {
  return { followSymlinks: params.followSymlinks ?? true };
}

function writeOptions(params: ParamsOf<'fs/writeFile'>) {
  const { atomic, append, exclusive, mode } = params;
  return {
    ...follow(params),
    atomic: atomic ?? false,
    append: append ?? false,
    exclusive: exclusive ?? false,
    ...(mode === null || mode === undefined ? {} : { mode }),
  };
}
