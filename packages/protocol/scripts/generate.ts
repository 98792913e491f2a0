// TypeBox schemas → plain types, ahead-of-time validators and the published JSON Schema bundle.
// `--check` writes nothing and exits 1 when a committed file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { generateFiles } from './generated-files.ts';

const packageRoot = new URL('../', import.meta.url);

function current(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, packageRoot), 'utf8');
  } catch {
    return undefined;
  }
}

const stale = [...generateFiles()].filter(([path, text]) => current(path) !== text);
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    const names = stale.map(([path]) => `packages/protocol/${path}`).join(', ');
    process.stderr.write(
      `Generated files are stale: ${names}. Run \`npm run generate\` and commit the result.\n`,
    );
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) writeFileSync(new URL(path, packageRoot), text);
}
