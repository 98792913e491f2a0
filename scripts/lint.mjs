// `npm run lint`: format and syntax (biome), type-aware rules (eslint), layering (dependency-cruiser), dead code (knip),
// and how much a folder holds.
import { pathToFileURL } from 'node:url';
import { checkFolderSizes } from './steps/folder-sizes.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { binary, root } from './steps/workspace.mjs';

const LINTERS = [
  ['biome', ['ci', '--colors=off', '.']],
  ['eslint', ['--max-warnings=0', 'packages', 'apps', 'tests']],
  ['depcruise', ['--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'tests']],
  ['knip', []],
];

export async function lint() {
  checkFolderSizes();
  say('  folders ✓');
  const results = await Promise.allSettled(
    LINTERS.map(async ([tool, args]) => {
      await runCommand(binary(tool), args, { cwd: root, quiet: true });
      say(`  ${tool} ✓`);
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await runScript(lint);
