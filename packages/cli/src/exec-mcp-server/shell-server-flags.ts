// The flags of `exec-server exec-mcp-server`, checked.
import { isAbsolute, resolve } from 'node:path';
import { CodedError } from '@codex/exec-protocol';
import { fullAccess, readOnly, type SandboxPolicy, workspaceWrite } from '@codex/sandbox';

export interface ShellServerFlags {
  readonly bash?: string;
  readonly execve?: string;
  readonly preserveProgramPaths?: boolean;
  readonly sandbox: SandboxMode;
  readonly writableRoot?: readonly string[];
  readonly rules?: readonly string[];
  readonly auditLog?: string;
  readonly escalateEnv?: readonly string[];
  readonly maxOutputBytes: number;
  readonly defaultTimeoutMs: number;
  readonly maxTimeoutMs?: number;
  readonly printPaths?: boolean;
}

export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** Flags that cannot be used together, or say nothing: the program ends with 2. */
export class ShellServerFlagError extends CodedError<'SHELL_SERVER_FLAGS_INVALID'> {
  constructor(message: string) {
    super('SHELL_SERVER_FLAGS_INVALID', message);
  }
}

/** For clients that say nothing of a sandbox: the folder the server was started in is the workspace, without a network. */
export function policyOf({ sandbox, writableRoot = [] }: ShellServerFlags, cwd: string): SandboxPolicy {
  if (sandbox !== 'workspace-write' && writableRoot.length > 0) {
    throw new ShellServerFlagError(`\`--writable-root\` needs \`--sandbox workspace-write\`, not ${sandbox}`);
  }
  if (sandbox === 'read-only') return readOnly();
  if (sandbox === 'danger-full-access') return fullAccess();
  return workspaceWrite({ roots: writableRoot.map((path) => resolve(cwd, path)) });
}

/** The folders of rules of the machine and of the user. A project has none: what is worked on does not judge itself. */
export function ruleFolders(env: NodeJS.ProcessEnv, home: string, cwd: string): string[] {
  const named = env['CODEX_HOME'];
  const codexHome = named === undefined || named === '' ? `${home}/.codex` : resolve(cwd, named);
  return ['/etc/codex/rules', ...(isAbsolute(codexHome) ? [`${codexHome}/rules`] : [])];
}
