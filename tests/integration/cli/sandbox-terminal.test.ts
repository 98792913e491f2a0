// On a terminal a sandboxed command stays in the process group of whoever started it, so that Ctrl-C reaches both. The rest of
// that group is outside.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { APP } from './support/codex-command.js';

const folder = mkdtempSync(join(homedir(), '.exec-sandbox-terminal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everything = [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }];
const profile = {
  type: 'managed',
  file_system: { type: 'restricted', entries: everything },
  network: 'restricted',
};
const entries = {
  sandbox: ['sandbox'],
  'codex-linux-sandbox': [
    '--codex-run-as-linux-sandbox',
    ...['--sandbox-policy-cwd', folder, '--permission-profile', JSON.stringify(profile)],
  ],
} as const;

/** A script of a shell that has a terminal of its own; `"$@"` is a sandboxed command. */
async function onTerminal(
  script: string,
  sandboxed: string,
  entry: readonly string[] = entries.sandbox,
): Promise<string> {
  const python = 'import pty, sys; pty.spawn(sys.argv[1:])';
  const command = ['sh', '-c', script, 'sh', process.execPath, APP, ...entry, '--', 'sh', '-c', sandboxed];
  const { stdout } = await promisify(execFile)('python3', ['-c', python, ...command], {
    cwd: folder,
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return stdout.replaceAll('\r', '');
}

describe.runIf(process.platform === 'linux')('a command of `sandbox` on a terminal', () => {
  it.each(['KILL', 'TERM', 'STOP', 'USR1'])('sends no %s to processes outside', async (signal) => {
    const told = await onTerminal(
      'trap "echo outside was told" USR1 TERM; "$@"; echo outside goes on',
      `kill -${signal} 0 2>&1; echo inside goes on`,
    );
    expect(told).toMatch(/kill: .*\n+inside goes on\noutside goes on\n$/);
    // What Node does for SIGUSR1: everything on this machine could have it run what it likes.
    expect(told).not.toContain('Debugger listening');
  });

  it.each(['fcntl(fd, F_SETFL, O_RDWR | O_ASYNC)', 'ioctl(fd, FIOASYNC, b"\\1\\0\\0\\0")'])(
    'has the terminal send no signal to processes outside: %s',
    async (request) => {
      const inside = `import os, signal, time
from fcntl import *
O_RDWR, O_ASYNC, FIOASYNC, F_SETSIG = os.O_RDWR, 0o20000, 0x5452, 10
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
fd = 1
fcntl(fd, F_SETSIG, signal.SIGUSR1)
try:
    ${request}
    print("could be asked", flush=True)
except OSError as error:
    print("refused", error.errno, flush=True)
time.sleep(0.5)
print("inside goes on")`;
      // Whether it runs on the terminal, or only writes to it.
      for (const input of ['', '< /dev/null']) {
        const script = `trap "echo outside was told" USR1; "$@" ${input}; echo outside goes on`;
        for (const [name, entry] of Object.entries(entries)) {
          const told = await onTerminal(script, `python3 -c '${inside}'`, entry);
          expect(told, name).toMatch(/^refused 1\ninside goes on\noutside goes on\n$/);
        }
      }
    },
  );

  it('has process groups of its own, and signals to them', async () => {
    const script = 'set -m; sleep 100 & kill -TERM -$!; wait $!; echo ended with $?; kill -TERM $$';
    expect(await onTerminal('"$@"; echo ended with $?', script)).toMatch(
      /ended with 143\n(?:.*\n)*ended with 143\n$/,
    );
  });
});
