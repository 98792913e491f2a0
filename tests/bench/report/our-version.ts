// What was measured as ours: the package's version and, in a checkout, the commit.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const manifest = new URL('../../../apps/codex/package.json', import.meta.url);

export function ourVersion(): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: new URL('.', manifest),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return `${version} (${commit.trim()})`;
  } catch {
    return version;
  }
}
