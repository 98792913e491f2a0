// The real `codex` from npm, for opt-in suites that compare with it; never a dependency of the project. It is the
// binary that CODEX_BINARY names, or the pinned release, installed once into the user's cache folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const REAL_CODEX_VERSION = '0.169.0';

export interface RealCodex {
  readonly binary: string;
  /** An empty home of its own, outside the temporary folder: below that, codex switches its sandbox off. */
  makeHome(): { readonly path: string; remove(): void };
}

/** `say` is told what happens, because an install is 300 MB. */
export function realCodex(say: (line: string) => void): RealCodex {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'codex-exec-server-tests');
  const binary = process.env['CODEX_BINARY'] ?? installed(join(cache, `codex-${REAL_CODEX_VERSION}`), say);
  return {
    binary,
    makeHome() {
      const homes = join(cache, 'homes');
      mkdirSync(homes, { recursive: true });
      const path = mkdtempSync(join(homes, 'home-'));
      return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
    },
  };
}

function installed(folder: string, say: (line: string) => void): string {
  const known = nativeBinary(folder);
  if (known !== undefined) return known;
  say(`Installing @openai/codex@${REAL_CODEX_VERSION} (about 300 MB) into ${folder}, once …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `@openai/codex@${REAL_CODEX_VERSION}`], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  const binary = nativeBinary(folder);
  if (binary === undefined)
    throw new Error(`@openai/codex has no binary for ${process.platform}-${process.arch}`);
  return binary;
}

/** The program itself, not the Node script around it: start-up and memory are to be its own. */
function nativeBinary(folder: string): string | undefined {
  const vendor = join(
    folder,
    'node_modules',
    '@openai',
    `codex-${process.platform}-${process.arch}`,
    'vendor',
  );
  if (!existsSync(vendor)) return undefined;
  return readdirSync(vendor)
    .map((triple) => join(vendor, triple, 'bin', 'codex'))
    .find((file) => existsSync(file));
}
