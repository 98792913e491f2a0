// Finds out what this machine and installation can do, as far as the announced capabilities depend on it.
import { existsSync } from 'node:fs';
import type { HelperCommand } from '@codex/exec-files';
import { locateFileHelper } from '@codex/exec-files';
import { type Launcher, locateLauncherProgram } from '@codex/launcher';

export interface HostFacts {
  /** There is an inotify instance to be had that tells of lost events. */
  readonly canWatchFiles: boolean;
  /** File requests under a restricted policy are served: there is a helper for them, and a sandbox to put it in. */
  readonly canSandboxFiles: boolean;
}

export interface Installation {
  readonly launcher?: Launcher;
  readonly fileHelper?: HelperCommand;
  readonly sandboxTrial?: Promise<boolean>;
}

const SEATBELT = '/usr/bin/sandbox-exec';

/** Takes a short program where there is a helper, and nothing where there is none. */
export async function findHostFacts({
  launcher,
  fileHelper,
  sandboxTrial,
}: Installation): Promise<HostFacts> {
  const hasNative =
    (launcher === undefined ? locateLauncherProgram() : launcher.launcherProgram) !== undefined;
  const hasHelper = (fileHelper ?? locateFileHelper()) !== undefined;
  return {
    canWatchFiles: process.platform === 'linux' && hasNative,
    // An installation whose sandbox library cannot even be loaded has none.
    canSandboxFiles: hasHelper && (await hasSandbox(hasNative, sandboxTrial).catch(() => false)),
  };
}

/**
 * On Linux the native launcher opens what bubblewrap mounts. Landlock alone serves only some policies (it has no deny below
 * a grant), so a host that has nothing else does not promise sandboxed files, although it serves the policies it can.
 */
async function hasSandbox(hasNative: boolean, trial: Promise<boolean> | undefined): Promise<boolean> {
  if (process.platform === 'darwin') return existsSync(SEATBELT);
  if (process.platform !== 'linux' || !hasNative) return false;
  if (trial !== undefined) return trial;
  const { canUseBubblewrap } = await import('@codex/sandbox/bubblewrap-trial');
  return canUseBubblewrap();
}
