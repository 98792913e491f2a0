// How a watch reaches the directories of its tree, and which of their entries it may tell of. In the server that is the
// path as it stands, and everything; a helper that serves a policy has its own (helper/watch).
import type { NativePath } from '../native-path.js';
import type { WatchedDirectory } from './watched-directory.js';

export interface WatchScope {
  /** Runs `act` with a path to the directory, good for watching and listing as long as `act` runs. */
  at<T>(directory: WatchedDirectory, act: (path: NativePath) => Promise<T>): Promise<T>;
  shows(path: NativePath): boolean;
}

export const wholeDisk: WatchScope = {
  at: (directory, act) => act(directory.path),
  shows: () => true,
};
