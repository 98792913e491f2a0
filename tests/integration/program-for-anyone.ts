// Programs that tests run as another user. The checkout may lie where that user cannot go, such as a home directory.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const built = new Map<string, { readonly folder: string; readonly program: string }>();

afterAll(() => {
  for (const { folder } of built.values()) rmSync(folder, { recursive: true, force: true });
  built.clear();
});

/** Bundles a program, with the launcher beside it, into a folder that every user can read until the tests of the file end. */
export function programForAnyone(source: string): string {
  const known = built.get(source);
  if (known !== undefined) return known.program;
  const folder = mkdtempSync('/var/tmp/test-program-');
  chmodSync(folder, 0o755);
  const program = join(folder, 'dist', 'program.mjs');
  execFileSync(
    join(repository, 'node_modules', '.bin', 'esbuild'),
    [
      source,
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--target=node20',
      '--conditions=@codex/source',
      '--external:@codex/launcher-darwin',
      "--banner:js=import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
      '--log-level=error',
      `--outfile=${program}`,
    ],
    { cwd: repository },
  );
  cpSync(join(repository, 'packages', 'launcher', 'native', 'build'), join(folder, 'prebuilt'), {
    recursive: true,
  });
  built.set(source, { folder, program });
  return program;
}
