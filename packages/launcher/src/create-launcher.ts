// Chooses the launcher for this host.
import type { Launcher } from './launched-process.js';
import { locateLauncherProgram } from './native/locate-launcher-program.js';
import { NativeLauncher } from './native/native-launcher.js';
import { PortableLauncher } from './portable/portable-launcher.js';

export interface CreateLauncherOptions {
  /** The codex-launcher program. Default: looked for beside this package. `null`: never use it. */
  readonly launcherProgram?: string | null;
  /**
   * Keep supervisors waiting for each kind of launch that was used, and a process that forks those on pipes, so that the
   * next launch does not wait for Node to fork. Default true. They end with this process or with `close()`.
   */
  readonly keepSpare?: boolean;
}

export function createLauncher(options: CreateLauncherOptions = {}): Launcher {
  const launcherProgram =
    options.launcherProgram === undefined ? locateLauncherProgram() : options.launcherProgram;
  if (launcherProgram === undefined || launcherProgram === null) return new PortableLauncher();
  return new NativeLauncher(launcherProgram, { keepSpare: options.keepSpare ?? true });
}
