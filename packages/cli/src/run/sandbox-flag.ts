// Builds the sandbox member of a request from the flags. Paths are the server's.

import type { SandboxContext } from '@codex/exec-protocol';
import { RunFlagError } from './run-flags.js';

export const SANDBOX_MODES = ['read-only', 'workspace-write', 'full-access'] as const;
export const SANDBOX_NETWORKS = ['restricted', 'enabled'] as const;

export interface SandboxFlags {
  readonly sandbox?: (typeof SANDBOX_MODES)[number];
  readonly network?: (typeof SANDBOX_NETWORKS)[number];
  readonly writable?: readonly string[];
}

type Permissions = NonNullable<SandboxContext['permissions']>;
type Entry = Extract<
  Extract<Permissions, { type: 'managed' }>['file_system'],
  { type: 'restricted' }
>['entries'][number];

const special = (
  kind: 'root' | 'project_roots' | 'slash_tmp' | 'tmpdir',
  access: Entry['access'],
): Entry => ({
  path: { type: 'special', value: { kind } },
  access,
});

/** `cwd` and `toUri` are the server's: where the command runs, and how its paths are written. */
export function sandboxFromFlags(
  flags: SandboxFlags,
  { cwd, toUri }: { readonly cwd: string; toUri(path: string): string },
): SandboxContext | undefined {
  const { sandbox, writable = [] } = flags;
  if (writable.length > 0 && sandbox !== 'workspace-write')
    throw new RunFlagError('`--writable` needs `--sandbox workspace-write`');
  if (flags.network !== undefined && (sandbox === undefined || sandbox === 'full-access'))
    throw new RunFlagError('`--network` needs `--sandbox read-only` or `--sandbox workspace-write`');
  if (sandbox === undefined) return undefined;
  return {
    permissions: permissionsOf(sandbox, {
      network: flags.network ?? 'restricted',
      writable: writable.map(
        (path): Entry => ({ path: { type: 'path', path: toUri(path) }, access: 'write' }),
      ),
    }),
    cwd: toUri(cwd),
    workspaceRoots: [toUri(cwd)],
    windowsSandboxLevel: 'disabled',
  };
}

function permissionsOf(
  mode: (typeof SANDBOX_MODES)[number],
  { network, writable }: { network: 'restricted' | 'enabled'; writable: readonly Entry[] },
): Permissions {
  switch (mode) {
    case 'full-access':
      return { type: 'disabled' };
    case 'read-only':
      return managed([special('root', 'read')], network);
    case 'workspace-write':
      return managed(
        [
          special('root', 'read'),
          special('project_roots', 'write'),
          special('slash_tmp', 'write'),
          special('tmpdir', 'write'),
          ...writable,
        ],
        network,
      );
  }
}

function managed(entries: Entry[], network: 'restricted' | 'enabled'): Permissions {
  return { type: 'managed', file_system: { type: 'restricted', entries }, network };
}
