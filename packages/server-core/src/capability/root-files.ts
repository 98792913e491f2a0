// The text files of one root, read within its limits. What cannot be read is a warning, never the end of a discovery.

import type { FileSystem, NativePath } from '@codex/exec-files';
import { FsError, isErrno, otherError, toFsError } from '@codex/exec-files';
import type { CapabilityTextFile } from '@codex/exec-protocol';
import { MAX_ANSWER_BYTES, MAX_FILE_BYTES, MAX_ROOT_BYTES } from './discovery-limits.js';

/** What is left for the files of all roots of one request. */
export interface AnswerRoom {
  bytes: number;
}

export interface RootFilesOptions {
  readonly room: AnswerRoom;
  readonly fileSystem: FileSystem;
  readonly formatPath: (path: NativePath) => string;
}

export class RootFiles {
  readonly warnings: string[] = [];
  readonly #options: RootFilesOptions;
  readonly #known = new Map<string, Promise<CapabilityTextFile | undefined>>();
  #bytes = 0;

  constructor(options: RootFilesOptions) {
    this.#options = options;
  }

  /** Undefined when the file is missing, or for a reason that stands in the warnings. Each file is read once. */
  read(path: NativePath): Promise<CapabilityTextFile | undefined> {
    const name = this.#options.formatPath(path);
    const known = this.#known.get(name) ?? this.#readText(path, name);
    this.#known.set(name, known);
    return known;
  }

  async #readText(path: NativePath, name: string): Promise<CapabilityTextFile | undefined> {
    try {
      const bytes = await this.#options.fileSystem.readFile(path, {
        maxBytes: MAX_FILE_BYTES,
        tooLarge: () => otherError(`capability file ${name} exceeds the ${MAX_FILE_BYTES}-byte limit`),
      });
      const contents = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return this.#hasRoom(bytes.byteLength, contents) ? { path: name, contents } : undefined;
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTDIR')) this.warnings.push(warningOf(error, name));
      return undefined;
    }
  }

  #hasRoom(size: number, contents: string): boolean {
    const { room } = this.#options;
    const encoded = Buffer.byteLength(JSON.stringify(contents));
    if (this.#bytes + size > MAX_ROOT_BYTES) {
      this.warnings.push(`capability root bundle exceeds the ${MAX_ROOT_BYTES}-byte limit`);
      return false;
    }
    if (encoded > room.bytes) {
      this.warnings.push(`capability discovery exceeds the ${MAX_ANSWER_BYTES} bytes of one answer`);
      return false;
    }
    this.#bytes += size;
    room.bytes -= encoded;
    return true;
  }
}

function warningOf(error: unknown, name: string): string {
  if (error instanceof TypeError) return `capability file ${name} is not UTF-8`;
  const { message } = toFsError(error);
  const isOwnSentence = error instanceof FsError && message.startsWith('capability file ');
  return isOwnSentence ? message : `failed to read capability file ${name}: ${message}`;
}
