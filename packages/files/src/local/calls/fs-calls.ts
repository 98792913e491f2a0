// Node's callback file calls as promises that reject with `FsError`. The callback forms run on the thread pool like
// `fs/promises` does, at a quarter of its cost per call; nothing here blocks the event loop. In a process that serves
// one policy (file-restriction.ts) every call by path passes that policy first.
import * as fs from 'node:fs';
import { toFsError } from '../../fs-error.js';
import { fromBytes, type NativePath } from '../../native-path.js';
import { fileRestriction } from './file-restriction.js';

type Done<T> = (error: NodeJS.ErrnoException | null, value: T) => void;

function call<T>(start: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      start((error, value) => (error ? reject(toFsError(error)) : resolve(value)));
    } catch (error) {
      reject(toFsError(error));
    }
  });
}

/** `atOnce` where that is allowed and holds nothing up, otherwise `start` on the thread pool. */
function quickCall<T>(atOnce: () => T, start: (done: Done<T>) => void): Promise<T> {
  if (fileRestriction()?.mayCallAtOnce() !== true) return call(start);
  try {
    return Promise.resolve(atOnce());
  } catch (error) {
    return Promise.reject(toFsError(error));
  }
}

const SMALL_BYTES = 64 * 1024;

const callVoid = (start: (done: fs.NoParamCallback) => void): Promise<void> =>
  call<void>((done) => start((error) => done(error, undefined)));

type Act<T> = (path: NativePath) => Promise<T>;

const looking = <T>(path: NativePath, act: Act<T>): Promise<T> =>
  fileRestriction()?.atEntry(path, 'read', act) ?? act(path);
const changing = <T>(path: NativePath, act: Act<T>): Promise<T> =>
  fileRestriction()?.atEntry(path, 'write', act) ?? act(path);
const following = <T>(path: NativePath, act: Act<T>): Promise<T> =>
  fileRestriction()?.atTarget(path, act) ?? act(path);

export const openUnrestricted = (path: NativePath, flags: number, mode = 0o666): Promise<number> =>
  call((done) => fs.open(path, flags, mode, done));
export const open = (path: NativePath, flags: number, mode = 0o666): Promise<number> =>
  fileRestriction()?.open(path, flags, mode) ?? openUnrestricted(path, flags, mode);
export const close = (fd: number): Promise<void> =>
  quickCall(
    () => fs.closeSync(fd),
    (done) => fs.close(fd, (error) => done(error ?? null, undefined)),
  );
export const fstat = (fd: number): Promise<fs.Stats> =>
  quickCall(
    () => fs.fstatSync(fd),
    (done) => fs.fstat(fd, done),
  );
export const ftruncate = (fd: number, length: number): Promise<void> =>
  quickCall(
    () => fs.ftruncateSync(fd, length),
    (done) => fs.ftruncate(fd, length, (error) => done(error, undefined)),
  );
export const fsync = (fd: number): Promise<void> => callVoid((done) => fs.fsync(fd, done));
export const fchmod = (fd: number, mode: number): Promise<void> =>
  callVoid((done) => fs.fchmod(fd, mode, done));
export const fchown = (fd: number, uid: number, gid: number): Promise<void> =>
  callVoid((done) => fs.fchown(fd, uid, gid, done));

export const stat = (path: NativePath): Promise<fs.Stats> =>
  following(path, (at) =>
    quickCall(
      () => fs.statSync(at),
      (done) => fs.stat(at, done),
    ),
  );
export const lstat = (path: NativePath): Promise<fs.Stats> =>
  looking(path, (at) =>
    quickCall(
      () => fs.lstatSync(at),
      (done) => fs.lstat(at, done),
    ),
  );
export const unlink = (path: NativePath): Promise<void> =>
  changing(path, (at) => callVoid((done) => fs.unlink(at, done)));
export const rmdir = (path: NativePath): Promise<void> =>
  changing(path, (at) => callVoid((done) => fs.rmdir(at, done)));
export const mkdir = (path: NativePath, mode = 0o777): Promise<void> =>
  changing(path, (at) => callVoid((done) => fs.mkdir(at, { mode }, done)));
export const symlink = (target: NativePath, path: NativePath): Promise<void> =>
  changing(path, (at) => callVoid((done) => fs.symlink(target, at, done)));

export async function rename(from: NativePath, to: NativePath): Promise<void> {
  await fileRestriction()?.checkMove(from);
  return changing(from, (source) =>
    changing(to, (destination) => callVoid((done) => fs.rename(source, destination, done))),
  );
}

/** A second name can be used to change the file, so the first one must be writable too. */
export const link = (existing: NativePath, path: NativePath): Promise<void> =>
  changing(existing, (source) =>
    changing(path, (destination) => callVoid((done) => fs.link(source, destination, done))),
  );

export const opendir = (path: NativePath): Promise<fs.Dir> =>
  following(path, (at) =>
    call((done) =>
      // Node types `path` as text only for this call; it takes bytes like the others.
      fs.opendir(at as string, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 }, done),
    ),
  );

export async function readlink(path: NativePath): Promise<NativePath> {
  return looking(path, async (at) =>
    fromBytes(await call<Buffer>((done) => fs.readlink(at, { encoding: 'buffer' }, done))),
  );
}

/** Under a restriction the answer is the real path of a file that was held open, so it names what may be read. */
export async function realpath(path: NativePath): Promise<NativePath> {
  return following(path, async (at) =>
    fromBytes(await call<Buffer>((done) => fs.realpath.native(at, { encoding: 'buffer' }, done))),
  );
}

/** A place in a file for one read: `position` null means where the descriptor stands. */
export interface ReadSlice {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly length: number;
  readonly position: number | bigint | null;
}

export const read = (fd: number, slice: ReadSlice): Promise<number> =>
  call((done) => fs.read(fd, slice.buffer, slice.offset, slice.length, slice.position, done));

/** Writes all of `bytes`; a null position appends at where the descriptor stands. */
export async function writeAll(fd: number, bytes: Uint8Array, position: number | null): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    const at = position === null ? null : position + offset;
    const length = bytes.byteLength - offset;
    const from = offset;
    const start = (done: Done<number>): void => fs.write(fd, bytes, from, length, at, done);
    const atOnce = (): number => fs.writeSync(fd, bytes, from, length, at);
    offset += await (length <= SMALL_BYTES ? quickCall(atOnce, start) : call(start));
  }
}
