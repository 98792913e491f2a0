// Installs the dependencies with the pnpm version that package.json pins, unless they are there already.
import { readFileSync } from 'node:fs';
import { runStep } from './progress.mjs';
import { runCommand } from './run-command.mjs';
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
  const { command, args } = pnpmCommand(['install', '--frozen-lockfile', '--reporter=append-only']);
  const title = 'Installing dependencies (the first time takes about a minute)';
  await runStep(title, { command, args, cwd: root, progress: (line) => /^Progress: (.*)/.exec(line)?.[1] });
  writeStamp(stampFile, wanted);
}

export function runPnpm(pnpmArgs, options) {
  const { command, args } = pnpmCommand(pnpmArgs);
  return runCommand(command, args, { cwd: root, ...options });
}

/** corepack is not part of every Node, npx is. */
function pnpmCommand(args) {
  const { packageManager } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return { command: 'npx', args: ['--yes', packageManager, ...args] };
}
