// Checks the options of the policy constructors at run time.
import { flag, texts, type ValueRule } from '@codex/exec-protocol/options';
import { checkOptions } from '../../options/check-options.js';
import { network, unixSockets } from '../../options/value-rules.js';
import type { ReadOnlyOptions, WorkspaceWriteOptions } from '../policy-constructors.js';

const READ_ONLY = {
  network,
  unixSockets,
  sockets: texts,
  deny: texts,
} as const satisfies Record<keyof ReadOnlyOptions, ValueRule>;

const WORKSPACE_WRITE = {
  ...READ_ONLY,
  roots: texts,
  temporaryDirectories: flag,
  allowCommitsIn: texts,
} as const satisfies Record<keyof WorkspaceWriteOptions, ValueRule>;

const readOnlyNames = {
  denied: 'deny',
  denyRead: 'deny',
  exclude: 'deny',
  hidden: 'deny',
  networkAccess: 'network',
  net: 'network',
} as const;

const workspaceWriteNames = {
  ...readOnlyNames,
  writableRoots: 'roots',
  writable: 'roots',
  writableDirectories: 'roots',
  workspaceRoots: 'roots',
  tmp: 'temporaryDirectories',
  tmpdir: 'temporaryDirectories',
  allowCommits: 'allowCommitsIn',
} as const;

export function checkReadOnlyOptions(options: unknown): void {
  checkOptions(options, { of: 'readOnly', values: READ_ONLY, otherNames: readOnlyNames });
}

export function checkWorkspaceWriteOptions(options: unknown): void {
  checkOptions(options, { of: 'workspaceWrite', values: WORKSPACE_WRITE, otherNames: workspaceWriteNames });
}

/** Nothing is enforced, so there is nothing to choose. */
export function checkFullAccessOptions(options: unknown): void {
  checkOptions(options, { of: 'fullAccess', values: {} });
}
