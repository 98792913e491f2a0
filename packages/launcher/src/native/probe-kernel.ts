// Asks the launcher program what the running kernel offers.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { locateLauncherProgram } from './locate-launcher-program.js';

export interface KernelFeatures {
  /** Landlock's ABI version; 0 when the kernel has none or it is switched off. */
  readonly landlockAbi: number;
}

/** Undefined when there is no launcher program that runs here. */
export async function probeKernel(
  launcherProgram = locateLauncherProgram(),
): Promise<KernelFeatures | undefined> {
  if (launcherProgram === undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)(launcherProgram, ['--probe'], { env: {}, timeout: 5000 });
    const abi = /^landlock (\d+)$/m.exec(stdout)?.[1];
    return abi === undefined ? undefined : { landlockAbi: Number(abi) };
  } catch {
    return undefined;
  }
}
