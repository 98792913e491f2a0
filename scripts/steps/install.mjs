// Installs the dependencies with the pnpm version that package.json pins, unless they are there already.
import { readFileSync } from 'node:fs';
import { runCommand, say } from './run-command.mjs';
import { filesBelow, hashFiles, isStamped, writeStamp } from './stamp.mjs';
import { inRoot, root } from './workspace.mjs';

const stampFile = inRoot('node_modules', '.install-stamp');

export async function installDependencies() {
  const wanted = hashFiles(
    [
      inRoot('package.json'),
      inRoot('pnpm-lock.yaml'),
      inRoot('pnpm-workspace.yaml'),
      ...['packages', 'apps', 'tests', 'examples'].flatMap((folder) =>
        filesBelow(inRoot(folder), (name) => name === 'package.json'),
      ),
    ],
    `${process.platform} ${process.arch} ${process.versions.modules}`,
  );
  if (isStamped(stampFile, wanted)) return;
  say('Installing dependencies …');
  await runPnpm(['install', '--frozen-lockfile', '--reporter=append-only']);
  writeStamp(stampFile, wanted);
}

/** corepack is not part of every Node, npx is. */
export function runPnpm(args, options) {
  const { packageManager } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return runCommand('npx', ['--yes', packageManager, ...args], { cwd: root, ...options });
}
