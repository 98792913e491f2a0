// Where `scripts/build-bash.mjs` puts the patched Bash: the user's cache folder, under the hash of all that makes it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Twins in scripts/build-bash.mjs, which runs without this package being built. */
const VERSION = '5.2.15';

/** Also when it has not been built yet; where there is nothing to build it from, a place where none is. */
export function patchedBashPath(environment: NodeJS.ProcessEnv = process.env): string {
  const hash = recipeHash() ?? 'none';
  const cache = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || homedir(), '.cache');
  return join(cache, 'codex-escalation', `bash-${VERSION}-${hash}`, 'bash');
}

function recipeHash(): string | undefined {
  const folder = recipeFolder();
  if (folder === undefined) return undefined;
  const recipe: unknown = JSON.parse(readFileSync(join(folder, 'recipe.json'), 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify([recipe, process.arch]));
  for (const file of ['exec-judge.patch', 'exec-judge.c']) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** This file is src/shells/*.ts in a checkout and dist/*.js (one bundle) in the package; the app's bundle has none. */
function recipeFolder(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  return [join(here, '..', 'bash'), join(here, '..', '..', 'bash')].find((folder) =>
    existsSync(join(folder, 'recipe.json')),
  );
}
