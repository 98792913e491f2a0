// A home with a profile, a server whose commands live in it, and commands that run as a login shell: as they stand, or
// with a snapshot.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RawClient, Reply } from '../../process/support/raw-client.js';
import { type ServedServer, serve } from '../../process/support/served-server.js';

export interface RunOptions {
  readonly snapshot?: string | false;
  readonly env?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  /** Of the server. */
  readonly serverEnv?: Readonly<Record<string, string>>;
}

export interface Run {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export class LoginShell {
  readonly home: string;
  client: RawClient;
  readonly #server: ServedServer;
  #next = 0;

  private constructor(home: string, client: RawClient, server: ServedServer) {
    this.home = home;
    this.client = client;
    this.#server = server;
  }

  /** The profile also notes every time it runs. */
  static async open(profile: string, serverEnv: Record<string, string> = {}): Promise<LoginShell> {
    // Not below /tmp, which a sandbox may open as such.
    const home = mkdtempSync(join(homedir(), '.login-shell-test-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const served = await serve({
      env: { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', SERVER_SIDE: 'yes', ...serverEnv },
    });
    const shell = new LoginShell(home, await served.client(), served);
    shell.writeProfile(profile);
    return shell;
  }

  writeProfile(profile: string): void {
    writeFileSync(join(this.home, '.bash_profile'), `echo >> "$HOME/runs"\n${profile}\n`);
  }

  /** How often the profile has run. */
  get profileRuns(): number {
    const file = join(this.home, 'runs');
    return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
  }

  /** The end of the session and of everything that runs in it. */
  async close(): Promise<void> {
    await this.#server.server.shutdown();
  }

  /** A new connection for the session of the last one. */
  async resume(): Promise<void> {
    this.client = await this.#server.client({ resumeSessionId: this.client.sessionId });
  }

  async run(script: string, options: RunOptions = {}): Promise<Run> {
    const processId = `p${this.#next++}`;
    const reply = await this.start(processId, script, options);
    if (reply.error !== undefined) throw new Error(`${reply.error.code} ${reply.error.message}`);
    return this.outcome(processId);
  }

  /** Sends the request now; the promise is its reply. */
  start(processId: string, script: string, options: RunOptions = {}): Promise<Reply> {
    const { snapshot = 'scope', env = {}, more = {}, args = [] } = options;
    return this.client.request('process/start', {
      processId,
      argv: ['/bin/bash', '-lc', script, ...args],
      cwd: '/tmp',
      env,
      envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
      tty: false,
      ...(snapshot !== false && {
        shellSnapshot: { scopeId: snapshot, shell: { name: 'bash', path: '/bin/bash' } },
      }),
      ...more,
    });
  }

  async outcome(processId: string): Promise<Run> {
    await this.client.untilClosed(processId, 40_000);
    const text = (stream: string) => this.client.bytesOf(processId, stream).toString();
    return {
      exitCode: this.client.eventsOf(processId).find(({ method }) => method === 'process/exited')?.exitCode,
      stdout: text('stdout') + text('pty'),
      stderr: text('stderr'),
    };
  }
}
