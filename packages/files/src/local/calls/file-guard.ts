// What stands between the file calls of a process and the operating system. A file helper, which serves one policy, has
// a guard that applies it; the server itself lets everything pass.
import type { NativePath } from '../../native-path.js';
import { openFile } from './node-calls.js';

export interface FileGuard {
  /**
   * Small calls need not go through the thread pool: every file system is local, and a process that serves one policy
   * delays no other client.
   */
  maySync(): boolean;
  /** Opens only what the policy allows for these flags, judged by where the opened file really lies. */
  open(path: NativePath, flags: number, mode: number): Promise<number>;
  /** Throws unless the open file may be read. */
  checkReadable(fd: number): void;
  /** Throws unless the open file may be written. */
  checkWritable(fd: number): void;
  /**
   * Runs `act` on an entry that the policy allows to be looked at (`read`) or changed (`write`). `act` gets a path in
   * a directory that is held open: what was judged is what is acted on. A link in the last component is not followed.
   */
  atEntry<T>(path: NativePath, access: 'read' | 'write', act: (path: NativePath) => Promise<T>): Promise<T>;
  /** The same for what the path leads to, which must exist and be readable. */
  atTarget<T>(path: NativePath, act: (path: NativePath) => Promise<T>): Promise<T>;
  /** Throws when a name that the policy denies would come to lie elsewhere. */
  checkMove(path: NativePath): Promise<void> | void;
}

const pass = (): void => undefined;

export const NO_GUARD: FileGuard = {
  maySync: () => false,
  open: openFile,
  checkReadable: pass,
  checkWritable: pass,
  atEntry: (path, _access, act) => act(path),
  atTarget: (path, act) => act(path),
  checkMove: pass,
};
