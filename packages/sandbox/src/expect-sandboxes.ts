// What the first sandbox of a program waits for, begun before it is planned.
import { canUseBubblewrap } from './linux/bubblewrap-trial.js';
import { beginHousekeeping } from './linux/host-changes/host-changes.js';
import { linuxHost } from './linux/host-probe.js';

let hasBegun = false;

/**
 * For a program that starts sandboxed commands, right before the first: finds out what the host can do and starts the shell that
 * cleans up after a crash, side by side. `endSandboxHousekeeping` ends that.
 */
export function expectSandboxes(): void {
  if (hasBegun || process.platform !== 'linux') return;
  hasBegun = true;
  linuxHost().catch(() => undefined); // whoever prepares a sandbox is told
  void canUseBubblewrap().then((works) => {
    if (works) beginHousekeeping();
  });
}
