// The last shell server that OpenAI published, for comparison; never a dependency of the project. Installed once (47 MB) into the
// user's cache folder.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const VERSION = '0.97.0';
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'codex-exec-server-tests');

export interface ShellTool {
  readonly server: string;
  /** Before the flags. */
  readonly serverArgs?: readonly string[];
  readonly wrapper: string;
  readonly bash: string;
}

export function shellTool(): ShellTool {
  const folder = join(cache, `shell-tool-${VERSION}`);
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const vendor = join(
    folder,
    'node_modules/@openai/codex-shell-tool-mcp/vendor',
    `${architecture}-unknown-linux-musl`,
  );
  if (!existsSync(vendor)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const install = ['install', '--no-audit', '--no-fund', `@openai/codex-shell-tool-mcp@${VERSION}`];
    execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 2, 2] });
  }
  return {
    server: join(vendor, 'codex-exec-mcp-server'),
    wrapper: join(vendor, 'codex-execve-wrapper'),
    bash: join(vendor, 'bash', 'debian-12', 'bash'),
  };
}

export interface ShellResult {
  readonly exit_code: number;
  readonly output: string;
}

/** A conversation with a server: that one, or ours, which takes the same flags. */
export class ShellServer {
  readonly #child: ChildProcess;
  readonly #home: string;
  readonly #waiting = new Map<number, (message: { result?: unknown; error?: unknown }) => void>();
  #lastId = 0;

  constructor(programs: ShellTool, rules: string) {
    mkdirSync(cache, { recursive: true });
    this.#home = mkdtempSync(join(cache, 'home-'));
    mkdirSync(join(this.#home, 'rules'));
    writeFileSync(join(this.#home, 'rules', 'test.rules'), rules);
    const args = [...(programs.serverArgs ?? []), '--execve', programs.wrapper, '--bash', programs.bash];
    this.#child = spawn(programs.server, args, {
      env: { PATH: '/usr/bin:/bin', HOME: this.#home, CODEX_HOME: this.#home },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    if (this.#child.stdout === null) throw new Error('the server has no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
    });
  }

  /** Theirs needs a program of an old Codex for every sandbox but none. */
  async open(sandboxPolicy: object = { type: 'danger-full-access' }): Promise<void> {
    await this.initialize();
    await this.#request('codex/sandbox-state/update', {
      sandboxPolicy,
      codexLinuxSandboxExe: null,
      sandboxCwd: '/tmp',
    });
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'peers', version: '1' };
    await this.#request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.#send({ method: 'notifications/initialized' });
  }

  async shell(command: string, workdir: string): Promise<ShellResult> {
    const call = { name: 'shell', arguments: { command, workdir, login: false, timeout_ms: 60_000 } };
    const { result, error } = await this.#request('tools/call', call);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    const [block] = (result as { content: { text: string }[] }).content;
    return JSON.parse(block?.text ?? '{}') as ShellResult;
  }

  close(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#home, { recursive: true, force: true });
  }

  #request(method: string, params: unknown): Promise<{ result?: unknown; error?: unknown }> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
