// Policies in one line, for direct users of the library.

import { gitCommitEntries } from './git-commit-entries.js';
import type { NetworkPolicy, PolicyEntry, SandboxPolicy, UnixSocketPolicy } from './policy-model.js';
import {
  checkFullAccessOptions,
  checkReadOnlyOptions,
  checkWorkspaceWriteOptions,
} from './rules/constructor-rules.js';
import { checkEntries, checkPolicy } from './rules/policy-rules.js';

const rootRead: PolicyEntry = { path: { type: 'root' }, access: 'read' };

export interface NetworkOptions {
  readonly network?: NetworkPolicy;
  /** With the network `enabled`: whether there are unix sockets besides. Default `none`, or `host` with `sockets`. */
  readonly unixSockets?: UnixSocketPolicy;
  /**
   * Sockets of the host that the command may use although they are known to hand out control (`/run/docker.sock`, a key
   * agent …). Naming one opens unix sockets as such: unknown ones are then reachable too.
   */
  readonly sockets?: readonly string[];
}

export interface ReadOnlyOptions extends NetworkOptions {
  /** Paths that may not even be read. */
  readonly deny?: readonly string[];
}

/** Everything can be read, nothing can be written. */
export function readOnly(options: ReadOnlyOptions = {}): SandboxPolicy {
  checkReadOnlyOptions(options);
  return restricted([rootRead, ...denied(options.deny)], options);
}

export interface WorkspaceWriteOptions extends NetworkOptions {
  /** Writable directories besides the workspace roots of the command. */
  readonly roots?: readonly string[];
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
  checkWorkspaceWriteOptions(options);
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
  return restricted(entries, options);
}

/** Nothing is enforced, so there are no options. */
export function fullAccess(...nothing: readonly []): SandboxPolicy {
  for (const options of nothing) checkFullAccessOptions(options);
  return { fileSystem: { type: 'unrestricted' }, network: 'enabled' };
}

/** The same policy with more entries. They are weighed like the others, so a denial stays one. */
export function extendPolicy(policy: SandboxPolicy, entries: readonly PolicyEntry[]): SandboxPolicy {
  checkPolicy(policy);
  checkEntries(entries);
  const files = policy.fileSystem;
  if (files.type !== 'restricted') return policy;
  return { ...policy, fileSystem: { ...files, entries: [...files.entries, ...entries] } };
}

function restricted(
  entries: readonly PolicyEntry[],
  { network = 'restricted', sockets = [], unixSockets }: NetworkOptions,
): SandboxPolicy {
  const named = sockets.map((path): PolicyEntry => ({ path: { type: 'path', path }, access: 'read' }));
  return {
    fileSystem: { type: 'restricted', entries: [...entries, ...named] },
    network,
    ...(network === 'enabled' ? { unixSockets: unixSockets ?? (named.length > 0 ? 'host' : 'none') } : {}),
  };
}

function denied(paths: readonly string[] = []): PolicyEntry[] {
  return paths.map((text) => ({
    path: /[*?[\]]/.test(text) ? { type: 'glob', pattern: text } : { type: 'path', path: text },
    access: 'deny',
  }));
}
