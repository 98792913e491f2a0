// Whether bubblewrap builds a whole sandbox on this host, found out by one short program.
import { findExecutable } from './find-executable.js';
import { type ProbeResult, runSupervisedProbe } from './run-probe.js';

const systemDirectories = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin';

/** The default search path for programs. */
export function defaultSearchPath(): string {
  return `${process.env['PATH'] ?? ''}:${systemDirectories}`;
}

/** A sandbox as every command gets it, but for /proc. */
const sandboxArguments: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev'],
];

const trials = new Map<string, Promise<ProbeResult>>();

/** With a fresh /proc. What has worked once is not tried again; a failure may have been for want of something. */
export function tryBubblewrap(bubblewrap: string): Promise<ProbeResult> {
  const known = trials.get(bubblewrap);
  if (known !== undefined) return known;
  // A bubblewrap that knows the last option knows all that a sandbox needs.
  const trial = run(bubblewrap, ['--proc', '/proc', '--clearenv']);
  trials.set(bubblewrap, trial);
  void trial.then(({ ok }) => {
    if (!ok) trials.delete(bubblewrap);
  });
  return trial;
}

export function tryBubblewrapWithoutProc(bubblewrap: string): Promise<ProbeResult> {
  return run(bubblewrap, []);
}

function run(bubblewrap: string, further: readonly string[]): Promise<ProbeResult> {
  return runSupervisedProbe(bubblewrap, [...sandboxArguments, ...further, '--', 'true']);
}

export async function canUseBubblewrap(searchPath = defaultSearchPath()): Promise<boolean> {
  // The filter is written for these.
  if (process.arch !== 'x64' && process.arch !== 'arm64') return false;
  const bubblewrap = findExecutable('bwrap', searchPath);
  return bubblewrap !== undefined && (await tryBubblewrap(bubblewrap)).ok;
}
