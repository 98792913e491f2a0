// The file helper (codex-fs) bundled from the sources into a folder of its own, as the build makes it: one file that
// needs nothing beside it. For tests, which run on sources.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface BundledHelper {
  readonly folder: string;
  readonly file: string;
  remove(): void;
}

export function bundleFileHelper(): BundledHelper {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-fs-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const file = join(folder, 'codex-fs.cjs');
  const entry = 'packages/files/src/helper/codex-fs.ts';
  const options = ['--bundle', '--platform=node', '--format=cjs', '--target=node20', '--log-level=error'];
  try {
    execFileSync(
      join(repository, 'node_modules', '.bin', 'esbuild'),
      [entry, ...options, '--conditions=@codex/source', `--outfile=${file}`],
      { cwd: repository },
    );
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, file, remove };
}
