// Whether bubblewrap builds a whole sandbox on this host, found out by one short program.
import { findExecutable } from './find-executable.js';
import { runProbe } from './run-probe.js';

const systemDirectories = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin';

/** The default search path for programs. */
export function defaultSearchPath(): string {
  return `${process.env['PATH'] ?? ''}:${systemDirectories}`;
}

/** A sandbox as every command gets it, but for /proc. */
export const trialArguments: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev'],
];

export const freshProc: readonly string[] = ['--proc', '/proc'];

export async function canUseBubblewrap(searchPath = defaultSearchPath()): Promise<boolean> {
  // The filter is written for these.
  if (process.arch !== 'x64' && process.arch !== 'arm64') return false;
  const bubblewrap = findExecutable('bwrap', searchPath);
  if (bubblewrap === undefined) return false;
  // A bubblewrap that knows this option knows all that a sandbox needs.
  const options = [...trialArguments, ...freshProc, '--clearenv'];
  return (await runProbe(bubblewrap, [...options, '--', 'true'])).ok;
}
