// The file system of the process it runs in. What its calls may reach is a matter of those calls (calls/file-guard.ts).

import type { FileSystem } from '../file-system.js';
import { trimTrailingSlashes as trim } from '../native-path.js';
import type { FileCalls } from './calls/file-calls.js';
import { LocalFile } from './contents/local-file.js';
import { readFile } from './contents/read-file.js';
import { writeFile } from './contents/write-file.js';
import { readTree } from './transfer/read-tree.js';
import { writeTree } from './transfer/write-tree.js';
import { copy } from './tree/copy.js';
import { createDirectory } from './tree/create-directory.js';
import { getMetadata, getMetadataSync } from './tree/metadata.js';
import { readDirectory } from './tree/read-directory.js';
import { remove } from './tree/remove.js';
import { rename } from './tree/rename.js';
import { walk } from './tree/walk.js';

export function createLocalFileSystem(calls: FileCalls): FileSystem {
  return {
    readFile: (path, options) => readFile(calls, trim(path), options),
    writeFile: (path, bytes, options) => writeFile(calls, trim(path), bytes, options),
    createDirectory: (path, options) => createDirectory(calls, trim(path), options),
    getMetadata: (path, options) => getMetadata(calls, trim(path), options),
    getMetadataSync: (path, options) => getMetadataSync(calls, trim(path), options),
    canonicalize: (path) => calls.realpath(trim(path)),
    readDirectory: (path, maxEntries) => readDirectory(calls, trim(path), maxEntries),
    walk: (path, options) => walk(calls, trim(path), options),
    remove: (path, options) => remove(calls, trim(path), options),
    copy: (source, destination, options) => copy(calls, trim(source), trim(destination), options),
    rename: (source, destination, options) => rename(calls, trim(source), trim(destination), options),
    writeTree: (root, entries, payload) => writeTree(calls, trim(root), entries, payload),
    readTree: (root, options) => readTree(calls, trim(root), options),
    open: (path, mode) => LocalFile.open(calls, trim(path), mode),
  };
}
