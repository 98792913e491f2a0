// What a caller adds to a policy so that `git commit` works: the git directory becomes writable, but everything in
// it that makes a later git outside the sandbox run a program stays read-only. It does not stop a command from
// rewriting history, from leaving a half-done rebase that a person continues, from filling the disk, or, while it runs, from having a git
// outside read its configuration elsewhere (`forbiddenNames`).
import { existsSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { SandboxError } from '../errors.js';
import { readCommonDirectory, readGitPointer, readStart } from './git-directories.js';
import { joinPath } from './path-text.js';
import type { Access, PolicyEntry } from './policy-model.js';

/** Read-only inside an opened git directory when they exist: they hold git directories of their own. */
const guardedNames: readonly string[] = ['modules', 'worktrees'];
/**
 * Read-only, and removed when the command creates them: `commondir` redirects configuration and hooks to another
 * directory, `remotes` and `branches` are older spellings of configuration. Git does not bear a cover in their place.
 */
const forbiddenNames: readonly string[] = ['commondir', 'config.worktree', 'remotes', 'branches'];

/** The entries for one repository or linked worktree. `repository` is the directory that holds `.git`. */
export function gitCommitEntries(repository: string): readonly PolicyEntry[] {
  const dotGit = joinPath(repository, '.git');
  const pointer = readGitPointer(dotGit);
  if (pointer === undefined) return [...openGitDirectory(dotGit), ...noBareRepository(repository)];
  return [...openLinkedWorktree(dotGit, pointer), entry(dotGit, 'read')];
}

function openGitDirectory(gitDirectory: string): PolicyEntry[] {
  return [
    entry(gitDirectory, 'write'),
    ...['hooks', 'config'].map((name) => entry(joinPath(gitDirectory, name), 'read')),
    ...guardedNames
      .map((name) => joinPath(gitDirectory, name))
      .filter((path) => existsSync(path))
      .map((path) => entry(path, 'read')),
    ...forbiddenNames.map((name) => forbidden(joinPath(gitDirectory, name))),
    lockOf(joinPath(gitDirectory, 'config')),
    ...lockOfOwn(gitDirectory),
  ];
}

/**
 * Where `.git` is none any more, because the command has removed its `HEAD`, git takes the folder around it for a repository that has
 * these three, and obeys the configuration that lies beside them. So one of them stays missing.
 */
const bareNames: readonly string[] = ['refs', 'objects', 'HEAD'];

function noBareRepository(repository: string): PolicyEntry[] {
  const missing = bareNames.map((name) => joinPath(repository, name)).find((path) => !existsSync(path));
  return missing === undefined ? [] : [entry(missing, 'read')];
}

/**
 * A git outside would put a new file in the place of its configuration, and with the old one its cover would go. It makes this name
 * first, and does nothing where something has it: so a cover has it while the command runs.
 */
function lockOf(configuration: string): PolicyEntry {
  return entry(`${configuration}.lock`, 'read');
}

/** Only a git that finds one there already changes it. */
function lockOfOwn(gitDirectory: string): PolicyEntry[] {
  const own = joinPath(gitDirectory, 'config.worktree');
  return existsSync(own) ? [lockOf(own)] : [];
}

function openLinkedWorktree(dotGit: string, worktree: string): PolicyEntry[] {
  // A pointer opens a directory that lies elsewhere, so it must be confirmed from the other side: git writes the
  // path of the `.git` file into the worktree's own `gitdir` file.
  const backLink = readStart(joinPath(worktree, 'gitdir'))?.trim();
  const common = readCommonDirectory(worktree);
  if (
    backLink === undefined ||
    common === undefined ||
    !samePath(posix.resolve(worktree, backLink), dotGit)
  ) {
    throw new SandboxError(
      'SANDBOX_POLICY_INVALID',
      `${dotGit} names ${worktree}, which is not a git worktree that names it back, so commits cannot be allowed there`,
    );
  }
  return [
    ...openGitDirectory(common),
    entry(worktree, 'write'),
    ...['commondir', 'gitdir'].map((name) => entry(joinPath(worktree, name), 'read')),
    forbidden(joinPath(worktree, 'config.worktree')),
    ...lockOfOwn(worktree),
  ];
}

function entry(path: string, access: Access): PolicyEntry {
  return { path: { type: 'path', path }, access };
}

function forbidden(path: string): PolicyEntry {
  return { path: { type: 'path', path }, access: 'read', whenMissing: 'remove' };
}

function samePath(left: string, right: string): boolean {
  try {
    return realpathSync(left) === realpathSync(right);
  } catch {
    return false;
  }
}
