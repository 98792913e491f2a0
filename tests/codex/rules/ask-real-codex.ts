// `codex execpolicy check` of the real codex.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realCodex } from '@codex/tests-real-codex';
import { CWD, HOME, type RulesAnswer, type RulesQuestion } from './rules-case.js';

export class RealRules {
  readonly #codex = realCodex((line) => process.stderr.write(`${line}\n`));
  readonly #home = this.#codex.makeHome();
  readonly #folder = mkdtempSync(join(tmpdir(), 'codex-rules-'));
  #asked = 0;

  [Symbol.dispose](): void {
    this.#home.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  ask({ files, command, resolve }: RulesQuestion): Promise<RulesAnswer> {
    const number = this.#asked++;
    const flags = files.flatMap((text, index) => {
      const file = join(this.#folder, `${number}-${index}.rules`);
      writeFileSync(file, text);
      return ['--rules', file];
    });
    return this.run([
      'execpolicy',
      'check',
      ...flags,
      ...(resolve ? ['--resolve-host-executables'] : []),
      '--',
      ...command,
    ]);
  }

  run(args: readonly string[]): Promise<RulesAnswer> {
    const env = { ...process.env, CODEX_HOME: this.#home.path, HOME };
    return new Promise((settle, reject) => {
      const child = execFile(this.#codex.binary, args, { cwd: CWD, env }, (error, stdout) => {
        if (error !== null && child.exitCode === null) reject(error);
        else settle({ code: child.exitCode ?? 0, stdout });
      });
    });
  }
}
