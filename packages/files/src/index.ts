// @codex/exec-files: files as the server offers them, directly and in a sandbox.
export { forEachBounded } from './bounded-parallel.js';
export type { Clock, Timer } from './clock.js';
export type { FileBlock, FileSystem, OpenFile } from './file-system.js';
export { FsError, invalidInput, isErrno, otherError, toFsError } from './fs-error.js';
export { toRpcError } from './fs-error-map.js';
export { DEFAULT_FS_LIMITS, type FsLimits } from './fs-limits.js';
export { fileTooLarge, readFile } from './local/contents/read-file.js';
export { localFileSystem, prepareLocalFileSystem } from './local/local-file-system.js';
export { displayPath, joinName, type NativePath, pathKey } from './native-path.js';
export { parsePathArgument } from './path-argument.js';
export { chooseFileSystem, isRestricted, refuseRestricted } from './sandboxed/choose-file-system.js';
export { loadSandboxedFiles } from './sandboxed/deferred-modules.js';
export { locateFileHelper, nodeHelper } from './sandboxed/locate-helper.js';
export type { HelperCommand } from './sandboxed/pool/runtime-files.js';
export { RestrictedFiles } from './sandboxed/restricted-files.js';
export { LocalWatcher } from './watch/local-watcher.js';
export type { ActiveWatch, ChangeSink, MissingPaths, Watcher } from './watch/watcher.js';
