// Bundles the `codex` app into apps/codex/dist, unless its sources are unchanged; or builds every package, the app included.
import { runPnpm } from './install.mjs';
import { runStep } from './progress.mjs';
import { filesBelow, hashFiles, isStamped, writeStamp } from './stamp.mjs';
import { inRoot } from './workspace.mjs';

const app = inRoot('apps', 'codex');
const stampFile = inRoot('apps', 'codex', 'dist', '.bundle-stamp');

export const codexEntry = inRoot('apps', 'codex', 'dist', 'codex.js');

export async function bundleCodex() {
  const wanted = sourceHash();
  if (isStamped(stampFile, wanted)) return;
  await runStep('Building the console', {
    command: 'npm',
    args: ['run', '--silent', 'build'],
    cwd: inRoot('packages', 'console'),
  });
  await runStep('Building', { command: 'npm', args: ['run', '--silent', 'build'], cwd: app });
  writeStamp(stampFile, wanted);
}

/** The JavaScript of all packages; `tsc -b` writes the declarations beside it. */
export async function buildPackages() {
  const wanted = sourceHash();
  await runPnpm(['--recursive', 'run', 'build'], { quiet: true });
  writeStamp(stampFile, wanted);
}

function sourceHash() {
  const isSource = (name) => /\.(ts|tsx|css|html|js|mjs|json|c|h)$/.test(name) && !name.endsWith('.test.ts');
  const sources = [
    ...filesBelow(inRoot('packages'), isSource),
    ...filesBelow(app, isSource),
    ...filesBelow(inRoot('scripts', 'bundling'), isSource),
    inRoot('pnpm-lock.yaml'),
  ];
  return hashFiles(sources);
}
