// Folders of code stay small enough to be read: a folder that holds too much has lost its subject.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StepError } from './run-command.mjs';
import { inRoot, root } from './workspace.mjs';

const MOST_FILES = 20;
const CODE = /^(packages|apps|tests|scripts|examples)\/.*\.(ts|tsx|mjs|cjs|c|h|py)$/;

/** Throws with the name of every folder that holds too many files. Files that git does not know yet count as well. */
export function checkFolderSizes() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const large = largeFolders(listed.split('\n').filter((file) => existsSync(inRoot(file))));
  if (large.length === 0) return;
  const names = large.map(({ folder, count }) => `${folder} has ${count}`).join(', ');
  throw new StepError(`a folder holds at most ${MOST_FILES} files: ${names}`);
}

export function largeFolders(files) {
  const counts = new Map();
  // A C file and its header are one thing.
  const isHeaderOfOne = (file) => file.endsWith('.h') && files.includes(`${file.slice(0, -1)}c`);
  for (const file of files.filter((each) => CODE.test(each) && !isHeaderOfOne(each))) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder, count]) => ({ folder, count }));
}
