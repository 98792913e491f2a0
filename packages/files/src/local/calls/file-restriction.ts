// What stands between the file calls of a process and the operating system when that process serves one policy: the
// helper of sandboxed requests installs it once, at its start. The server itself has none.
import type { NativePath } from '../../native-path.js';

export interface FileRestriction {
  /**
   * Small calls need not go through the thread pool: every file system is local, and a process that serves one policy
   * holds nobody else up.
   */
  mayCallAtOnce(): boolean;
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
  checkMove(path: NativePath): Promise<void>;
}

let installed: FileRestriction | undefined;

export function restrictFileCalls(restriction: FileRestriction | undefined): void {
  installed = restriction;
}

export function fileRestriction(): FileRestriction | undefined {
  return installed;
}
