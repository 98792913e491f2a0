// The file system of the process it runs in: no connection and no policy.

import type { FileSystem } from '../file-system.js';
import { trimTrailingSlashes as trim } from '../native-path.js';
import { realpath } from './calls/fs-calls.js';
import { SyncWindow } from './calls/sync-window.js';
import { LocalFile } from './contents/local-file.js';
import { readFile } from './contents/read-file.js';
import { writeFile } from './contents/write-file.js';
import { copy } from './tree/copy.js';
import { createDirectory } from './tree/create-directory.js';
import { getMetadata, getMetadataAtOnce } from './tree/metadata.js';
import { readDirectory } from './tree/read-directory.js';
import { remove } from './tree/remove.js';
import { rename } from './tree/rename.js';
import { walk } from './tree/walk.js';

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
