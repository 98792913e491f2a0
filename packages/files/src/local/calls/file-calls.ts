// The file calls that the operations are made of. Every call by path passes the guard first.
import * as fs from 'node:fs';
import { toFsError } from '../../fs-error.js';
import { fromBytes, type NativePath } from '../../native-path.js';
import { type FileGuard, NO_GUARD } from './file-guard.js';
import { call, callVoid, type Done } from './node-calls.js';
import { fileTime, SyncCalls, type SyncGate } from './sync-calls.js';

/** Longer writes always go to the thread pool. */
const MAX_SYNC_WRITE_BYTES = 64 * 1024;

/** A place in a file for one read: `position` null means where the descriptor stands. */
export interface ReadSlice {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly length: number;
  readonly position: number | bigint | null;
}

type Act<T> = (path: NativePath) => Promise<T>;

export interface FileCallsOptions {
  /** Default: everything passes. */
  readonly guard?: FileGuard;
  /** Default: nothing is done synchronously but what the guard allows. */
  readonly syncGate?: SyncGate;
}

export class FileCalls {
  readonly #guard: FileGuard;
  /** The same without a promise, where that is possible. */
  readonly sync: SyncCalls;

  constructor({ guard = NO_GUARD, syncGate = CLOSED }: FileCallsOptions = {}) {
    this.#guard = guard;
    this.sync = new SyncCalls(syncGate, guard);
  }

  open(path: NativePath, flags: number, mode = 0o666): Promise<number> {
    return this.#guard.open(path, flags, mode);
  }

  close(fd: number): Promise<void> {
    return this.#small(
      () => fs.closeSync(fd),
      (done) => fs.close(fd, (error) => done(error ?? null, undefined)),
    );
  }

  fstat(fd: number): Promise<fs.Stats> {
    return this.#small(
      () => fs.fstatSync(fd),
      (done) => fs.fstat(fd, done),
    );
  }

  ftruncate(fd: number, length: number): Promise<void> {
    return this.#small(
      () => fs.ftruncateSync(fd, length),
      (done) => fs.ftruncate(fd, length, (error) => done(error, undefined)),
    );
  }

  fsync(fd: number): Promise<void> {
    return callVoid((done) => fs.fsync(fd, done));
  }

  fchmod(fd: number, mode: number): Promise<void> {
    return callVoid((done) => fs.fchmod(fd, mode, done));
  }

  fchown(fd: number, uid: number, gid: number): Promise<void> {
    return callVoid((done) => fs.fchown(fd, uid, gid, done));
  }

  /** Of an open file or directory, also of one that was opened for reading: it has to be writable. */
  async setMode(fd: number, mode: number): Promise<void> {
    this.#guard.checkWritable(fd);
    return this.#small(
      () => fs.fchmodSync(fd, mode),
      (done) => fs.fchmod(fd, mode, (error) => done(error, undefined)),
    );
  }

  /** The time of the last change, and of the last access with it. */
  async setTime(fd: number, milliseconds: number): Promise<void> {
    this.#guard.checkWritable(fd);
    const time = fileTime(milliseconds);
    return this.#small(
      () => fs.futimesSync(fd, time, time),
      (done) => fs.futimes(fd, time, time, (error) => done(error, undefined)),
    );
  }

  stat(path: NativePath): Promise<fs.Stats> {
    return this.#guard.atTarget(path, (at) =>
      this.#small(
        () => fs.statSync(at),
        (done) => fs.stat(at, done),
      ),
    );
  }

  lstat(path: NativePath): Promise<fs.Stats> {
    return this.#guard.atEntry(path, 'read', (at) =>
      this.#small(
        () => fs.lstatSync(at),
        (done) => fs.lstat(at, done),
      ),
    );
  }

  unlink(path: NativePath): Promise<void> {
    return this.#changing(path, (at) => callVoid((done) => fs.unlink(at, done)));
  }

  rmdir(path: NativePath): Promise<void> {
    return this.#changing(path, (at) => callVoid((done) => fs.rmdir(at, done)));
  }

  mkdir(path: NativePath, mode = 0o777): Promise<void> {
    return this.#changing(path, (at) => callVoid((done) => fs.mkdir(at, { mode }, done)));
  }

  symlink(target: NativePath, path: NativePath): Promise<void> {
    return this.#changing(path, (at) => callVoid((done) => fs.symlink(target, at, done)));
  }

  async rename(from: NativePath, to: NativePath): Promise<void> {
    await this.#guard.checkMove(from);
    return this.#changing(from, (source) =>
      this.#changing(to, (destination) => callVoid((done) => fs.rename(source, destination, done))),
    );
  }

  /** A second name can be used to change the file, so the first one must be writable too. */
  link(existing: NativePath, path: NativePath): Promise<void> {
    return this.#changing(existing, (source) =>
      this.#changing(path, (destination) => callVoid((done) => fs.link(source, destination, done))),
    );
  }

  opendir(path: NativePath): Promise<fs.Dir> {
    return this.#guard.atTarget(path, (at) =>
      call((done) =>
        // Node types `path` as text only for this call; it takes bytes like the others.
        fs.opendir(at as string, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 }, done),
      ),
    );
  }

  readlink(path: NativePath): Promise<NativePath> {
    return this.#guard.atEntry(path, 'read', async (at) =>
      fromBytes(await call<Buffer>((done) => fs.readlink(at, { encoding: 'buffer' }, done))),
    );
  }

  /** Under a policy the answer is the real path of a file that was held open, so it names what may be read. */
  realpath(path: NativePath): Promise<NativePath> {
    return this.#guard.atTarget(path, async (at) =>
      fromBytes(await call<Buffer>((done) => fs.realpath.native(at, { encoding: 'buffer' }, done))),
    );
  }

  read(fd: number, { buffer, offset, length, position }: ReadSlice): Promise<number> {
    return call((done) => fs.read(fd, buffer, offset, length, position, done));
  }

  /** Writes all of `bytes`; a null position appends at where the descriptor stands. */
  async writeAll(fd: number, bytes: Uint8Array, position: number | null): Promise<void> {
    for (let offset = 0; offset < bytes.byteLength; ) {
      const at = position === null ? null : position + offset;
      const length = bytes.byteLength - offset;
      const from = offset;
      const start = (done: Done<number>): void => fs.write(fd, bytes, from, length, at, done);
      const writeSync = (): number => fs.writeSync(fd, bytes, from, length, at);
      offset += await (length <= MAX_SYNC_WRITE_BYTES ? this.#small(writeSync, start) : call(start));
    }
  }

  #changing<T>(path: NativePath, act: Act<T>): Promise<T> {
    return this.#guard.atEntry(path, 'write', act);
  }

  /** `sync` where the guard allows it, otherwise `start` on the thread pool. */
  #small<T>(sync: () => T, start: (done: Done<T>) => void): Promise<T> {
    if (!this.#guard.maySync()) return call(start);
    try {
      return Promise.resolve(sync());
    } catch (error) {
      return Promise.reject(toFsError(error));
    }
  }
}

const CLOSED: SyncGate = { run: () => undefined };
