// OpenSSH as agents use it: `ssh HOST COMMAND` over one connection that stays open (ControlMaster). The sshd is one of
// its own on a loopback port, with keys made for the run; nothing of the user's configuration is read.
import { type ChildProcess, type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

const SSHD = '/usr/sbin/sshd';
const STARTS_WITHIN_MS = 5000;

type SshChild = ChildProcessByStdio<Writable, Readable, null>;

export class SshHost {
  readonly #daemon: ChildProcess;
  readonly #options: readonly string[];

  private constructor(daemon: ChildProcess, options: readonly string[]) {
    this.#daemon = daemon;
    this.#options = options;
  }

  /** `folder` takes the keys, the configuration and the control socket; its path must be short for the latter. */
  static async start(folder: string): Promise<SshHost> {
    const key = join(folder, 'key');
    for (const file of [key, join(folder, 'host-key')]) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    }
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    const port = await freePort();
    writeFileSync(join(folder, 'authorized'), readFileSync(`${key}.pub`), { mode: 0o600 });
    writeFileSync(join(folder, 'sshd.conf'), daemonConfig(folder, port));
    const daemon = spawn(SSHD, ['-D', '-f', join(folder, 'sshd.conf')], { stdio: 'ignore' });
    const control = join(folder, 'control');
    const options = ['-F', 'none', '-p', String(port), '-i', key, '-S', control, '-o', 'LogLevel=ERROR'];
    options.push(
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'BatchMode=yes',
    );
    const host = new SshHost(daemon, [...options, `${userInfo().username}@127.0.0.1`]);
    try {
      await host.#openMaster();
    } catch (error) {
      await host.stop();
      throw error;
    }
    return host;
  }

  get daemonPid(): number {
    return this.#daemon.pid ?? 0;
  }

  /** `ssh … HOST`, for a shell. */
  get commandLine(): string {
    return ['ssh', ...this.#options].join(' ');
  }

  /** The process that holds the connection, at this end. */
  masterPid(): number {
    const answer = execFileSync('sh', ['-c', `ssh -O check ${this.#options.join(' ')} 2>&1`], {
      encoding: 'utf8',
    });
    return Number(/pid=(\d+)/.exec(answer)?.[1] ?? 0);
  }

  spawn(command: string, { tty = false }: { readonly tty?: boolean } = {}): SshChild {
    const args = tty ? ['-tt', ...this.#options, command] : [...this.#options, command];
    return spawn('ssh', args, { stdio: ['pipe', 'pipe', 'ignore'] });
  }

  /** Runs a command to its end and returns how many bytes it wrote. */
  run(command: string, options: { readonly tty?: boolean; readonly input?: Buffer } = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = this.spawn(command, options);
      let bytes = 0;
      child.stdout.on('data', (block: Buffer) => {
        bytes += block.length;
      });
      // With -tt an end of the input would close the terminal before the output is through.
      if (options.tty !== true) child.stdin.end(options.input);
      child.on('error', reject);
      child.on('close', (code) => {
        if (code === 0) resolve(bytes);
        else reject(new Error(`ssh … ${command} ended with ${code}`));
      });
    });
  }

  async stop(): Promise<void> {
    try {
      execFileSync('ssh', ['-O', 'exit', ...this.#options], { stdio: 'ignore' });
    } catch {
      // There is no master that could be told to go.
    }
    if (this.#daemon.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#daemon.once('exit', resolve));
    this.#daemon.kill('SIGTERM');
    await ended;
  }

  async #openMaster(): Promise<void> {
    const deadline = performance.now() + STARTS_WITHIN_MS;
    for (;;) {
      try {
        // -f returns as soon as the connection stands.
        execFileSync('ssh', ['-M', '-N', '-f', ...this.#options], { stdio: 'ignore' });
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await delay(50);
      }
    }
  }
}

function daemonConfig(folder: string, port: number): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host-key')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `PidFile ${join(folder, 'sshd.pid')}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'UsePAM no',
    'StrictModes no',
    'PrintMotd no',
    'PrintLastLog no',
    // A login shell reads its start-up files even for one command; those of this user are no part of OpenSSH.
    `SetEnv HOME=${folder}`,
    'MaxSessions 1000',
    '',
  ].join('\n');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
