// OpenSSH as a column, where it is there or can be installed without starting a service.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SshHost } from './ssh-host.js';
import { type Subject, takeSamples } from './subject.js';

/** Undefined, with a sentence said, where there is no OpenSSH server. */
export function sshSubject(folder: string, say: (line: string) => void): Subject | undefined {
  if (!isSshInstalled(say)) return undefined;
  return {
    name: sshVersion(),
    measures: (scenario) => scenario.ssh !== undefined,
    async open() {
      // The path of a control socket is limited to about 100 bytes.
      const own = mkdtempSync(join(tmpdir(), 'bench-ssh-'));
      const host = await SshHost.start(own);
      return {
        take: (scenario) =>
          takeSamples(scenario, async () => (await scenario.ssh?.(host, folder)) ?? Number.NaN),
        async close() {
          await host.stop();
          rmSync(own, { recursive: true, force: true });
        },
      };
    },
  };
}

export function isSshInstalled(say: (line: string) => void): boolean {
  const isThere = () => existsSync('/usr/sbin/sshd') && existsSync('/usr/bin/ssh');
  if (isThere()) return true;
  // Under systemd the package would start a service on port 22, which is not ours to decide.
  const mayInstall =
    process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !existsSync('/run/systemd/system');
  if (!mayInstall) {
    say('OpenSSH is left out: no sshd here. `apt-get install openssh-server` adds the column.');
    return false;
  }
  say('Installing openssh-server with apt-get, for the OpenSSH column …');
  try {
    const args = ['install', '-y', '--no-install-recommends', 'openssh-server', 'openssh-client'];
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 2] });
  } catch {
    say('OpenSSH is left out: apt-get could not install it.');
  }
  return isThere();
}

/** `ssh -V` writes `OpenSSH_9.2p1 Debian-2, OpenSSL …` to stderr. */
export function sshVersion(): string {
  const line = execFileSync('sh', ['-c', 'ssh -V 2>&1'], { encoding: 'utf8' });
  return `OpenSSH ${/OpenSSH_([\w.]+)/.exec(line)?.[1] ?? ''}`.trim();
}
