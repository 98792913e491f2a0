// The flags of `exec-server exec-mcp-server`, checked.
import { existsSync, statSync } from 'node:fs';
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
  readonly defaultTimeoutMs?: number;
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

/** Writable roots that are not there, which is a misspelled one more often than not: a warning each. */
export function missingRoots({ writableRoot = [] }: ShellServerFlags, cwd: string): string[] {
  return writableRoot
    .map((path) => resolve(cwd, path))
    .filter((path) => !existsSync(path))
    .map((path) => `\`--writable-root\`: ${path} does not exist, so nothing can be written there`);
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Of a call that says nothing of its time, which is never refused for that. */
export function defaultTimeout({ defaultTimeoutMs: wanted, maxTimeoutMs: most }: ShellServerFlags): number {
  if (most === undefined || (wanted ?? 0) <= most)
    return wanted ?? Math.min(DEFAULT_TIMEOUT_MS, most ?? Number.POSITIVE_INFINITY);
  throw new ShellServerFlagError(
    `\`--default-timeout-ms\` (${wanted}) is more than \`--max-timeout-ms\` (${most})`,
  );
}

/**
 * The folders of rules of the machine and of the user. A project has none: what is worked on does not judge itself. A CODEX_HOME
 * that is not there is refused, as by Codex: the rules in it would be missed by nobody.
 */
export function ruleFolders(env: NodeJS.ProcessEnv, home: string, cwd: string): string[] {
  const named = env['CODEX_HOME'];
  if (named === undefined || named === '') {
    return ['/etc/codex/rules', ...(isAbsolute(home) ? [`${home}/.codex/rules`] : [])];
  }
  const codexHome = resolve(cwd, named);
  if (statSync(codexHome, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ShellServerFlagError(`CODEX_HOME points to ${JSON.stringify(named)}, which is not a directory`);
  }
  return ['/etc/codex/rules', `${codexHome}/rules`];
}
