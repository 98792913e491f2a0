// Builds the sandbox of first attempts and of attempts that were let out of it.
//
// The workspace of a policy is the tool's own working directory, fixed when the tool is made: it does not follow the
// `workdir` of a call, or a model could make any folder its workspace.

import { type ExecServerClient, type SandboxOption, wireSandbox } from '@codex/exec-client';

export interface SandboxPlan {
  /** Undefined: commands run without one. */
  readonly first: SandboxOption | undefined;
  /**
   * For a command that was let out. What may not be read stays unreadable, so a policy that denies reads leaves a
   * sandbox in which everything else is allowed.
   */
  readonly escalated: SandboxOption | undefined;
  /** First attempts run in a sandbox that is one. */
  readonly confines: boolean;
  readonly restrictsFiles: boolean;
  /** First attempts may write something, be it a folder. */
  readonly hasWritableFiles: boolean;
  readonly restrictsNetwork: boolean;
  /** Whether a denied command may run once more without a sandbox. */
  readonly mayRetry: boolean;
}

export const NO_SANDBOX: SandboxPlan = Object.freeze({
  first: undefined,
  escalated: undefined,
  confines: false,
  restrictsFiles: false,
  hasWritableFiles: true,
  restrictsNetwork: false,
  mayRetry: false,
});

export function sandboxPlan(
  sandbox: SandboxOption | undefined,
  { info, cwd }: { readonly info: ExecServerClient['info']; readonly cwd: string },
): SandboxPlan {
  if (sandbox === undefined) return NO_SANDBOX;
  const first = wireSandbox(sandbox, { info, cwd });
  const { permissions } = first;
  if (permissions?.type !== 'managed') {
    const isOff = permissions?.type === 'disabled';
    return {
      first,
      escalated: undefined,
      confines: !isOff,
      restrictsFiles: permissions == null,
      hasWritableFiles: true,
      restrictsNetwork: !isOff && permissions?.type === 'external' && permissions.network === 'restricted',
      mayRetry: !isOff,
    };
  }
  const { file_system: files, network } = permissions;
  const entries = files.type === 'restricted' ? files.entries : [];
  const denied = entries.filter(({ access }) => access === 'deny' || access === 'none');
  const everything = { path: { type: 'special', value: { kind: 'root' } }, access: 'write' } as const;
  const escalated =
    denied.length === 0
      ? undefined
      : {
          ...first,
          permissions: {
            ...permissions,
            file_system: { ...files, type: 'restricted', entries: [everything, ...denied] } as typeof files,
            network: 'enabled' as const,
          },
        };
  return {
    first,
    escalated,
    confines: true,
    restrictsFiles: files.type === 'restricted',
    hasWritableFiles: files.type !== 'restricted' || entries.some(({ access }) => access === 'write'),
    restrictsNetwork: network === 'restricted',
    mayRetry: denied.length === 0,
  };
}
