// The file system of the process it runs in: no connection and no policy.
import { copy } from './copy.js';
import { createDirectory } from './create-directory.js';
import type { FileSystem } from './file-system.js';
import { realpath } from './fs-calls.js';
import { LocalFile } from './local-file.js';
import { getMetadata, getMetadataAtOnce } from './metadata.js';
import { trimTrailingSlashes as trim } from './native-path.js';
import { readDirectory } from './read-directory.js';
import { readFile } from './read-file.js';
import { remove } from './remove.js';
import { rename } from './rename.js';
import { SyncWindow } from './sync-window.js';
import { walk } from './walk.js';
import { writeFile } from './write-file.js';

const syncWindow = new SyncWindow();

/** Optional, at start-up: what makes the first requests as quick as the later ones. */
export function prepareLocalFileSystem(): void {
  syncWindow.prepare();
}

export const localFileSystem: FileSystem = Object.freeze<FileSystem>({
  readFile: (path, options) => readFile(trim(path), options, syncWindow),
  writeFile: (path, bytes, options) => writeFile(trim(path), bytes, { ...options, window: syncWindow }),
  createDirectory: (path, options) => createDirectory(trim(path), options),
  getMetadata: (path, options) => getMetadata(trim(path), options, syncWindow),
  getMetadataAtOnce: (path, options) => getMetadataAtOnce(trim(path), options, syncWindow),
  canonicalize: (path) => realpath(trim(path)),
  readDirectory: (path, maxEntries) => readDirectory(trim(path), maxEntries),
  walk: (path, options) => walk(trim(path), options),
  remove: (path, options) => remove(trim(path), options),
  copy: (source, destination, options) => copy(trim(source), trim(destination), options),
  rename: (source, destination, options) => rename(trim(source), trim(destination), options),
  open: (path, mode) => LocalFile.open(trim(path), mode),
});
