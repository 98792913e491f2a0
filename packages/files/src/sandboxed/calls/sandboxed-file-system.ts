// A file system whose every call runs in a helper of one policy. A call that is lost with its helper is made again on a
// new one where making it twice leaves the same files as making it once.

import { formatPath } from '@codex/exec-protocol';
import type {
  DirectoryEntry,
  FileBlock,
  FileSystem,
  Metadata,
  OpenFile,
  TreePart,
  WalkOutcome,
} from '../../file-system.js';
import { otherError } from '../../fs-error.js';
import { fromWirePath, toWirePath, type WirePath } from '../../helper-protocol/helper-messages.js';
import { HelperLostError } from '../pool/helper-lost-error.js';
import type { HelperProcess } from '../pool/helper-process.js';
import type { HelperAnswer, HelperCall } from '../pool/pending-calls.js';
import { attempt, type HelperSource, MAX_ATTEMPTS } from './helper-source.js';

export function sandboxedFileSystem(source: HelperSource): FileSystem {
  const repeatable = (call: HelperCall) => run(source, call, MAX_ATTEMPTS);
  const once = (call: HelperCall) => run(source, call, 1);
  const change = (isRepeatable: boolean) => (isRepeatable ? repeatable : once);
  return {
    readFile: async (path, { maxBytes, followSymlinks, reserve, tooLarge }) => {
      const args = { path: toWirePath(path), maxBytes, followSymlinks };
      return (await repeatable({ operation: 'readFile', args, reserve, tooLarge })).payload;
    },
    writeFile: async (path, payload, options) => {
      const isRepeatable = options.append !== true && options.exclusive !== true;
      const args = { path: toWirePath(path), options };
      await change(isRepeatable)({ operation: 'writeFile', args, payload });
    },
    createDirectory: async (path, { recursive, followSymlinks }) => {
      const args = { path: toWirePath(path), recursive, followSymlinks };
      await change(recursive)({ operation: 'createDirectory', args });
    },
    getMetadata: async (path, { followSymlinks }) => {
      const args = { path: toWirePath(path), followSymlinks };
      return (await repeatable({ operation: 'getMetadata', args })).result as Metadata;
    },
    canonicalize: async (path) => {
      const { result } = await repeatable({ operation: 'canonicalize', args: { path: toWirePath(path) } });
      return fromWirePath(result as WirePath);
    },
    readDirectory: async (path, maxEntries) => {
      const args = { path: toWirePath(path), maxEntries };
      return (await repeatable({ operation: 'readDirectory', args })).result as readonly DirectoryEntry[];
    },
    walk: async (path, { formatPath: format, signal, ...options }) => {
      // The helper writes the paths of the reply itself: their length counts against its budget.
      const form = format('/') === formatPath('/', 'uri') ? 'uri' : 'path';
      const args = { path: toWirePath(path), form, options };
      return (await repeatable({ operation: 'walk', args, signal })).result as WalkOutcome;
    },
    remove: async (path, { recursive, force, followSymlinks, signal }) => {
      const args = { path: toWirePath(path), recursive, force, followSymlinks };
      await change(force)({ operation: 'remove', args, signal });
    },
    copy: async (path, destination, { recursive, signal }) => {
      const args = { path: toWirePath(path), destination: toWirePath(destination), recursive };
      await once({ operation: 'copy', args, signal });
    },
    rename: async (path, destination, { overwrite }) => {
      const args = { path: toWirePath(path), destination: toWirePath(destination), overwrite };
      await once({ operation: 'rename', args });
    },
    writeTree: async (root, entries, payload) => {
      await repeatable({ operation: 'writeTree', args: { path: toWirePath(root), entries }, payload });
    },
    readTree: async (root, { exclude, after, enoughBytes, signal }) => {
      const args = { path: toWirePath(root), exclude, after, enoughBytes };
      const { result, payload } = await repeatable({ operation: 'readTree', args, signal });
      return { ...(result as Omit<TreePart, 'bytes'>), bytes: payload };
    },
    open: async (path, mode) => {
      const call = { operation: 'open', args: { path: toWirePath(path), mode } } as const;
      const open = async (helper: HelperProcess): Promise<OpenFile> => {
        const { result } = await helper.call(call);
        return new SandboxedFile(helper, result as number, source.hold(helper));
      };
      return attempt(MAX_ATTEMPTS, () => source.use(open));
    },
  };
}

function run(source: HelperSource, call: HelperCall, attempts: number): Promise<HelperAnswer> {
  return attempt(attempts, () => source.call(call));
}

/** An open file lives in one helper and ends with it: no other process holds its inode. */
class SandboxedFile implements OpenFile {
  readonly #helper: HelperProcess;
  readonly #file: number;
  readonly #release: () => void;

  constructor(helper: HelperProcess, file: number, release: () => void) {
    this.#helper = helper;
    this.#file = file;
    this.#release = release;
  }

  async read(offset: number, length: number): Promise<FileBlock> {
    const { result, payload } = await this.#call({
      operation: 'readBlock',
      args: { file: this.#file, offset, length },
    });
    return { bytes: payload, eof: (result as { eof: boolean }).eof };
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    await this.#call({ operation: 'writeBlock', args: { file: this.#file, offset }, payload: bytes });
  }

  async close(): Promise<void> {
    try {
      await this.#helper.call({ operation: 'close', args: { file: this.#file } });
    } catch (error) {
      // With its helper the file is closed already.
      if (!(error instanceof HelperLostError)) throw error;
    } finally {
      this.#release();
    }
  }

  async #call(call: HelperCall): Promise<HelperAnswer> {
    try {
      return await this.#helper.call(call);
    } catch (error) {
      if (!(error instanceof HelperLostError)) throw error;
      throw otherError(`${error.message}; its open files are closed, open this one again`);
    }
  }
}
