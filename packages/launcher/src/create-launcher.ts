/** Chooses the launcher for this host. */
import type { Launcher } from './launched-process.js';
import { locateNative } from './native/locate-native.js';
import { NativeLauncher } from './native/native-launcher.js';
import { PortableLauncher } from './portable/portable-launcher.js';

export interface CreateLauncherOptions {
  /** The codex-launcher program. Default: looked for beside this package. `null`: never use it. */
  readonly nativePath?: string | null;
}

export function createLauncher(options: CreateLauncherOptions = {}): Launcher {
  const nativePath = options.nativePath === undefined ? locateNative() : options.nativePath;
  return nativePath === undefined || nativePath === null
    ? new PortableLauncher()
    : new NativeLauncher(nativePath);
}
