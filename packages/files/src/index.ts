// @codex/exec-files: files as the server offers them, directly and in a sandbox.
export { forEachBounded } from './bounded-parallel.js';
export type { FileBlock, FileSystem, OpenFile, ReadTreeOptions, TreePart } from './file-system.js';
export { FileSystems } from './file-systems.js';
export { FsError, invalidInput, isErrno, otherError, toFsError } from './fs-error.js';
export { toRpcError } from './fs-error-map.js';
export { DEFAULT_FS_LIMITS, type FsLimits } from './fs-limits.js';
export { FileCalls } from './local/calls/file-calls.js';
export { fileTooLarge } from './local/contents/read-file.js';
export { createLocalFileSystem } from './local/local-file-system.js';
export { displayPath, joinName, type NativePath, pathKey } from './native-path.js';
export { parsePathArgument } from './path-argument.js';
export { loadSandboxedFiles } from './sandboxed/deferred-modules.js';
export { locateFileHelper, nodeHelper } from './sandboxed/locate-helper.js';
export type { RequestedSandbox } from './sandboxed/policy/is-sandboxed.js';
export type { HelperCommand } from './sandboxed/pool/runtime-files.js';
export { SMALL_FILE_BYTES } from './small-file.js';
export type { ActiveWatch, ChangeSink, MissingPaths, Watcher } from './watch/watcher.js';
