// The real `codex` binary to compare with. It is no dependency of this project: it is named by CODEX_BINARY, or
// installed into the cache folder of this checkout, which is said, because it is 300 MB.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CODEX_VERSION = '0.166.0';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function codexBinary(): string {
  const given = process.env['CODEX_BINARY'];
  if (given) return given;
  const folder = join(root, '.cache', `codex-${CODEX_VERSION}`);
  const binary = join(folder, 'node_modules', '.bin', 'codex');
  if (!existsSync(binary)) {
    process.stderr.write(`Installing @openai/codex@${CODEX_VERSION} (about 300 MB) into ${folder} …\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `@openai/codex@${CODEX_VERSION}`], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    });
  }
  return binary;
}

/** A home of its own for the binary. Below the temporary folder its sandbox would be off. */
export function codexHome(): string {
  const home = join(root, '.cache', 'codex-home');
  mkdirSync(home, { recursive: true });
  return home;
}
