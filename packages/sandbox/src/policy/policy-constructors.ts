// Policies in one line, for people who use the library directly.
import { gitCommitEntries } from './git-commit-entries.js';
import type { NetworkPolicy, PolicyEntry, SandboxPolicy } from './policy-model.js';

const rootRead: PolicyEntry = { path: { type: 'root' }, access: 'read' };

export interface ReadOnlyOptions {
  readonly network?: NetworkPolicy;
  /** Paths that may not even be read. */
  readonly deny?: readonly string[];
}

/** Everything can be read, nothing can be written. */
export function readOnly(options: ReadOnlyOptions = {}): SandboxPolicy {
  return restricted([rootRead, ...denied(options.deny)], options.network);
}

export interface WorkspaceWriteOptions {
  /** Writable directories besides the workspace roots of the command. */
  readonly roots?: readonly string[];
  readonly network?: NetworkPolicy;
  /** `/tmp` and the temporary directory are writable unless this is false. */
  readonly temporaryDirectories?: boolean;
  /** Paths or globs that may not even be read. */
  readonly deny?: readonly string[];
  /**
   * Repositories in which `git commit` works: their git directory is opened, except what runs outside the sandbox
   * later (hooks, configuration). See `gitCommitEntries` for the exact list.
   */
  readonly allowCommitsIn?: readonly string[];
}

/** Everything can be read; the workspace, the temporary directories and `roots` can be written. */
export function workspaceWrite(options: WorkspaceWriteOptions = {}): SandboxPolicy {
  const entries: PolicyEntry[] = [rootRead, { path: { type: 'workspaceRoots' }, access: 'write' }];
  if (options.temporaryDirectories !== false) {
    entries.push(
      { path: { type: 'slashTmp' }, access: 'write' },
      { path: { type: 'tmpdir' }, access: 'write' },
    );
  }
  for (const path of options.roots ?? []) entries.push({ path: { type: 'path', path }, access: 'write' });
  for (const repository of options.allowCommitsIn ?? []) entries.push(...gitCommitEntries(repository));
  entries.push(...denied(options.deny));
  return restricted(entries, options.network);
}

/** Nothing is enforced. */
export function fullAccess(): SandboxPolicy {
  return { fileSystem: { type: 'unrestricted' }, network: 'enabled' };
}

/** The same policy with more entries. They are weighed like the others, so a denial stays one. */
export function extendPolicy(policy: SandboxPolicy, entries: readonly PolicyEntry[]): SandboxPolicy {
  const files = policy.fileSystem;
  if (files.type !== 'restricted') return policy;
  return { ...policy, fileSystem: { ...files, entries: [...files.entries, ...entries] } };
}

function restricted(entries: readonly PolicyEntry[], network: NetworkPolicy = 'restricted'): SandboxPolicy {
  return { fileSystem: { type: 'restricted', entries }, network };
}

function denied(paths: readonly string[] = []): PolicyEntry[] {
  return paths.map((text) => ({
    path: /[*?[\]]/.test(text) ? { type: 'glob', pattern: text } : { type: 'path', path: text },
    access: 'deny',
  }));
}
