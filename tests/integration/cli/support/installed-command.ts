// The app as npm installs it: a link that is called `exec-server`.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP } from './codex-command.js';

export class InstalledCommand implements Disposable {
  /** A folder that holds nothing but the link, for PATH. */
  readonly folder = mkdtempSync(join(tmpdir(), 'exec-server-bin-'));
  readonly program = join(this.folder, 'exec-server');

  constructor() {
    symlinkSync(APP, this.program);
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      PATH: `${this.folder}:${process.env['PATH']}`,
      CODEX_EXEC_SERVER_URL: '',
      CODEX_EXEC_SERVER_TOKEN: '',
      EXEC_SERVER_CONFIG: '',
    };
  }

  run(args: readonly string[], options: InstalledOptions = {}): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, [this.program, ...args], this.#options(options));
  }

  /** A line of bash, in which `exec-server` is the program. */
  bash(line: string, options: InstalledOptions = {}): SpawnSyncReturns<string> {
    return spawnSync('bash', ['-c', line], this.#options(options));
  }

  #options({ cwd, env, input }: InstalledOptions) {
    return {
      encoding: 'utf8',
      cwd,
      input: input ?? '',
      env: { ...this.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 30_000,
    } as const;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface InstalledOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}
