// The sandbox of a request: the wire's own form, or a policy as `@codex/sandbox` makes it. The shapes of that package are
// repeated here so that its types are enough for both, and neither package needs the other.

import type { EnvironmentInfo, SandboxContext } from '@codex/exec-protocol';
import { invalidArgument } from './exec-server-error.js';
import { remotePath, toFileUri } from './remote-path.js';

/** What `readOnly()`, `workspaceWrite()` and `fullAccess()` of `@codex/sandbox` return. Paths are the server's. */
export interface SandboxPolicyOption {
  readonly fileSystem:
    | {
        readonly type: 'restricted';
        readonly entries: readonly PolicyEntryOption[];
        readonly globScanMaxDepth?: number;
      }
    | { readonly type: 'unrestricted' }
    | { readonly type: 'external' };
  readonly network: 'restricted' | 'loopback' | 'enabled';
}

interface PolicyEntryOption {
  readonly path: PolicyPathOption;
  readonly access: 'read' | 'write' | 'deny';
  readonly whenMissing?: 'cover' | 'remove';
}

type PolicyPathOption =
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'glob'; readonly pattern: string }
  | { readonly type: 'workspaceRoots'; readonly subpath?: string }
  | { readonly type: 'root' | 'minimal' | 'tmpdir' | 'slashTmp' };

export type SandboxOption = SandboxContext | SandboxPolicyOption;

type Permissions = NonNullable<SandboxContext['permissions']>;
type WirePath = Extract<
  Extract<Permissions, { type: 'managed' }>['file_system'],
  { type: 'restricted' }
>['entries'][number]['path'];

export interface SandboxPlace {
  readonly info: Pick<EnvironmentInfo, 'cwd'>;
  /** Where the command runs: the workspace of a policy. */
  readonly cwd: string;
}

/** The wire's form is passed on as it is. */
export function wireSandbox(sandbox: SandboxOption, { info, cwd }: SandboxPlace): SandboxContext {
  if (!('fileSystem' in sandbox)) return sandbox;
  const workspace = toFileUri(remotePath(cwd, info));
  return {
    permissions: permissionsOf(sandbox, info),
    cwd: workspace,
    workspaceRoots: [workspace],
    windowsSandboxLevel: 'disabled',
  };
}

function permissionsOf(
  { fileSystem, network }: SandboxPolicyOption,
  info: SandboxPlace['info'],
): Permissions {
  if (network === 'loopback') {
    throw invalidArgument(
      'sandbox',
      "a server knows the networks 'restricted' and 'enabled'; 'loopback' is for local use",
    );
  }
  switch (fileSystem.type) {
    case 'external':
      return { type: 'external', network };
    case 'unrestricted':
      return network === 'enabled'
        ? { type: 'disabled' }
        : { type: 'managed', file_system: { type: 'unrestricted' }, network };
    case 'restricted': {
      const { entries, globScanMaxDepth: depth } = fileSystem;
      return {
        type: 'managed',
        file_system: {
          type: 'restricted',
          // `whenMissing` has no word on the wire: servers cover what is missing, which protects as well.
          entries: entries.map(({ path, access }) => ({ path: wirePath(path, info), access })),
          ...(depth === undefined ? {} : { glob_scan_max_depth: depth }),
        },
        network,
      };
    }
  }
}

function wirePath(path: PolicyPathOption, info: SandboxPlace['info']): WirePath {
  switch (path.type) {
    case 'path':
      return { type: 'path', path: toFileUri(remotePath(path.path, info)) };
    case 'glob':
      return { type: 'glob_pattern', pattern: path.pattern };
    case 'workspaceRoots': {
      const subpath = path.subpath === undefined ? {} : { subpath: path.subpath };
      return { type: 'special', value: { kind: 'project_roots', ...subpath } };
    }
    case 'slashTmp':
      return { type: 'special', value: { kind: 'slash_tmp' } };
    case 'root':
    case 'minimal':
    case 'tmpdir':
      return { type: 'special', value: { kind: path.type } };
  }
}
