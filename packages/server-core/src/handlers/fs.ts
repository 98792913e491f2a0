// `fs/*` between the wire and the file slice. Every handler parses its paths and takes its place in the order of its
// connection synchronously, so that requests take effect in the order they arrived.
import { blockResult, type EmptyResult, fileResult, formatPath, type ParamsOf } from '@codex/exec-protocol';
import { type Launcher, locateNative } from '@codex/launcher';
import { chooseFileSystem } from '../fs/choose-file-system.js';
import { ConnectionFiles } from '../fs/connection-files.js';
import { checkedBlockLength, decodeBlock, decodeFile } from '../fs/file-bytes.js';
import { toRpcError } from '../fs/fs-error-map.js';
import type { FsLimits } from '../fs/fs-limits.js';
import { prepareLocalFileSystem } from '../fs/local-file-system.js';
import type { NativePath } from '../fs/native-path.js';
import { parsePathArgument } from '../fs/path-argument.js';
import { readBlockForReply, readFileForReply } from '../fs/reply-bytes.js';
import type { Handlers, RequestContext, SliceKey } from './handler-table.js';

const DONE: EmptyResult = {};

export interface FsConfig {
  readonly fs: FsLimits;
  /** Its program also watches files. */
  readonly launcher?: Launcher;
}

export function fsHandlers(config: FsConfig): Handlers {
  const limits = config.fs;
  const watchProgram = config.launcher === undefined ? locateNative() : config.launcher.nativePath;
  prepareLocalFileSystem();
  const key: SliceKey<ConnectionFiles> = {
    create: (connection) => new ConnectionFiles(connection, { limits, watchProgram }),
  };
  const filesOf = ({ connection }: RequestContext): ConnectionFiles => connection.slice(key);

  const read = <T>(context: RequestContext, act: (files: ConnectionFiles) => Promise<T>): Promise<T> => {
    const files = filesOf(context);
    return files.order.read(() => act(files)).catch(rethrow);
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
      const { fileSystem, path } = located(params);
      return read(context, ({ replyRoom }) =>
        readFileForReply({ fileSystem, path, ...follow(params), limits, replyRoom, context }),
      ).then(fileResult);
    },
    'fs/writeFile': (params, context) => {
      const { fileSystem, path } = located(params);
      const bytes = decodeFile(params.dataBase64);
      return change(context, () => fileSystem.writeFile(path, bytes, writeOptions(params)));
    },
    'fs/createDirectory': (params, context) => {
      const { fileSystem, path } = located(params);
      const options = { recursive: params.recursive ?? true, ...follow(params) };
      return change(context, () => fileSystem.createDirectory(path, options));
    },
    'fs/getMetadata': (params, context) => {
      const { fileSystem, path } = located(params);
      return read(context, () => fileSystem.getMetadata(path, follow(params)));
    },
    'fs/canonicalize': (params, context) => {
      const { fileSystem, path, form } = located(params);
      return read(context, () => fileSystem.canonicalize(path)).then((real) => ({
        path: formatPath(real, form),
      }));
    },
    'fs/readDirectory': (params, context) => {
      const { fileSystem, path } = located(params);
      return read(context, () => fileSystem.readDirectory(path, limits.maxDirectoryEntries)).then(
        (entries) => ({ entries }),
      );
    },
    'fs/walk': (params, context) => {
      const { fileSystem, path, form } = located(params);
      const { pruneHiddenDirectories, ...bounds } = params.options;
      return read(context, ({ signal }) =>
        fileSystem.walk(path, {
          ...bounds,
          pruneHiddenDirectories: pruneHiddenDirectories ?? false,
          formatPath: (found) => formatPath(found, form),
          signal,
        }),
      );
    },
    'fs/remove': (params, context) => {
      const { fileSystem, path } = located(params);
      const { recursive, force } = params;
      return change(context, ({ signal }) =>
        fileSystem.remove(path, {
          recursive: recursive ?? true,
          force: force ?? true,
          ...follow(params),
          signal,
        }),
      );
    },
    'fs/copy': (params, context) => {
      const { fileSystem, source, destination } = locatedPair(params);
      const { recursive } = params;
      return change(context, ({ signal }) => fileSystem.copy(source, destination, { recursive, signal }));
    },
    'fs/rename': (params, context) => {
      const { fileSystem, source, destination } = locatedPair(params);
      const overwrite = params.overwrite ?? true;
      return change(context, () => fileSystem.rename(source, destination, { overwrite }));
    },
    'fs/open': (params, context) => {
      const { handleId, mode } = params;
      const { fileSystem, path } = located(params);
      const open = (files: ConnectionFiles): Promise<void> =>
        files.handles.open(handleId, () => fileSystem.open(path, mode ?? 'read'));
      const opened = mode === 'replace' ? change(context, open) : read(context, open);
      return opened.then(() => ({ handleId }));
    },
    'fs/readBlock': (params, context) => {
      const { handleId, offset } = params;
      const length = checkedBlockLength('read', params.len, limits);
      return read(context, ({ handles, replyRoom }) =>
        readBlockForReply({ handles, handleId, offset, length, replyRoom, context }),
      ).then(({ bytes, eof }) => blockResult(bytes, eof));
    },
    'fs/writeBlock': (params, context) => {
      const { handleId, offset } = params;
      const bytes = decodeBlock(params.chunk);
      checkedBlockLength('write', bytes.byteLength, limits);
      return change(context, ({ handles }) => handles.use(handleId, (file) => file.write(offset, bytes)));
    },
    'fs/close': ({ handleId }, context) =>
      read(context, ({ handles }) => handles.close(handleId)).then(() => DONE),
    'fs/watch': (params, context) => {
      const { watchId, recursive } = params;
      // A watch runs in the server: under a restricted sandbox there is no file system that could serve it.
      const { path, form } = located(params);
      const format = (found: NativePath) => formatPath(found, form);
      return read(context, ({ watches }) =>
        watches.add({ watchId, path, recursive: recursive ?? false, formatPath: format }),
      ).then(() => ({ watchId }));
    },
    'fs/unwatch': ({ watchId }, context) =>
      read(context, async ({ watches }) => watches.remove(watchId)).then(() => DONE),
  };
}

function rethrow(error: unknown): never {
  throw toRpcError(error);
}

type Sandbox = ParamsOf<'fs/readFile'>['sandbox'];

function located(params: { readonly path: string; readonly sandbox?: Sandbox }) {
  const { native, form } = parsePathArgument(params.path);
  return { fileSystem: chooseFileSystem(params.sandbox), path: native, form };
}

function locatedPair(params: ParamsOf<'fs/copy'> | ParamsOf<'fs/rename'>) {
  const source = parsePathArgument(params.sourcePath).native;
  const destination = parsePathArgument(params.destinationPath).native;
  return { fileSystem: chooseFileSystem(params.sandbox), source, destination };
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
