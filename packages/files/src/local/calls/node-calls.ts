// Node's callback file calls as promises that reject with `FsError`. The callback forms run on the thread pool like
// `fs/promises` does, at a quarter of its cost per call; nothing here blocks the event loop.
import * as fs from 'node:fs';
import { toFsError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';

export type Done<T> = (error: NodeJS.ErrnoException | null, value: T) => void;

export function call<T>(start: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      start((error, value) => (error ? reject(toFsError(error)) : resolve(value)));
    } catch (error) {
      reject(toFsError(error));
    }
  });
}

export const callVoid = (start: (done: fs.NoParamCallback) => void): Promise<void> =>
  call<void>((done) => start((error) => done(error, undefined)));

export const openFile = (path: NativePath, flags: number, mode: number): Promise<number> =>
  call((done) => fs.open(path, flags, mode, done));
