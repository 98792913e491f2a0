// Runs the built `codex` app to its end, with bytes in and bytes out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const APP = fileURLToPath(new URL('../../../../apps/codex/dist/codex.js', import.meta.url));

export interface CodexOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Left out, the input is empty; null leaves it open. */
  readonly input?: Uint8Array | string | null;
}

export interface CodexEnd {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export class CodexCommand {
  readonly child: ReturnType<typeof spawn>;
  readonly end: Promise<CodexEnd>;
  readonly #stdout: Buffer[] = [];
  #stderr = '';

  constructor(args: readonly string[], { cwd, env = {}, input = '' }: CodexOptions = {}) {
    this.child = spawn(process.execPath, [APP, ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, CODEX_EXEC_SERVER_URL: '', CODEX_EXEC_SERVER_TOKEN: '', ...env },
    });
    // A command that does not read its input closes it.
    this.child.stdin?.on('error', () => undefined);
    if (input !== null) this.child.stdin?.end(input);
    this.child.stdout?.on('data', (block: Buffer) => this.#stdout.push(block));
    this.child.stderr?.on('data', (block: Buffer) => {
      this.#stderr += String(block);
    });
    this.end = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: Buffer.concat(this.#stdout),
      stderr: this.#stderr,
    }));
  }

  async stdoutIncludes(text: string): Promise<void> {
    while (!Buffer.concat(this.#stdout).includes(text)) await once(this.child.stdout ?? this.child, 'data');
  }
}

export function codex(args: readonly string[], options: CodexOptions = {}): Promise<CodexEnd> {
  return new CodexCommand(args, options).end;
}
