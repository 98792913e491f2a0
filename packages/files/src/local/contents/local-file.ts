// A regular file held open for positional blocks.
import { Buffer } from 'node:buffer';
import type { FileBlock, OpenFile, OpenMode } from '../../file-system.js';
import { errnoError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { openForReading, openForWriting } from '../paths/regular-file.js';
import type { Target } from '../paths/target.js';

export class LocalFile implements OpenFile {
  readonly isDoneWithWritten = true;
  readonly #calls: FileCalls;
  readonly #fd: number;

  private constructor(calls: FileCalls, fd: number) {
    this.#calls = calls;
    this.#fd = fd;
  }

  static async open(calls: FileCalls, path: NativePath, mode: OpenMode): Promise<LocalFile> {
    const target: Target = { path, openFlags: 0, followsLinks: true };
    if (mode === 'read') return new LocalFile(calls, (await openForReading(calls, path, target)).fd);
    const { fd, stats } = await openForWriting(calls, path, target);
    if (stats.size > 0) {
      await calls.ftruncate(fd, 0).catch(async (error: unknown) => {
        await calls.close(fd);
        throw error;
      });
    }
    return new LocalFile(calls, fd);
  }

  async read(offset: number, length: number, memory?: Uint8Array): Promise<FileBlock> {
    const buffer = memory === undefined ? Buffer.allocUnsafeSlow(length) : bufferOn(memory);
    // A regular file reads short only at its end.
    const filled = await this.#calls.read(this.#fd, { buffer, offset: 0, length, position: offset });
    return { bytes: buffer.subarray(0, filled), eof: filled < length };
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    // Node writes at the current position when the offset is no safe integer.
    if (!Number.isSafeInteger(offset + bytes.byteLength)) throw errnoError('EFBIG');
    await this.#calls.writeAll(this.#fd, bytes, offset);
  }

  async close(): Promise<void> {
    await this.#calls.close(this.#fd);
  }
}

function bufferOn({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
