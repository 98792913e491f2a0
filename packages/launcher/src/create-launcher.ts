/** Chooses the launcher for this host. */
import type { Launcher } from './launched-process.js';
import { locateNative } from './native/locate-native.js';
import { NativeLauncher } from './native/native-launcher.js';
import { PortableLauncher } from './portable/portable-launcher.js';

export interface CreateLauncherOptions {
  /** The codex-launcher program. Default: looked for beside this package. `null`: never use it. */
  readonly nativePath?: string | null;
  /**
   * Keep supervisors waiting for each kind of launch that was used, and a process that forks those on pipes, so that the
   * next launch does not wait for Node to fork. Default true. They end with this process or with `close()`.
   */
  readonly keepSpare?: boolean;
}

export function createLauncher(options: CreateLauncherOptions = {}): Launcher {
  const nativePath = options.nativePath === undefined ? locateNative() : options.nativePath;
  if (nativePath === undefined || nativePath === null) return new PortableLauncher();
  return new NativeLauncher(nativePath, { keepSpare: options.keepSpare ?? true });
}
