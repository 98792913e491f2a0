// Turns the arguments of `exec_command` into a command to run, and refuses what can be refused without a server.

import type { ExecServerClient } from '@codex/exec-client';
import { type ApprovalPolicy, asksForSandbox, policyName } from '../approval/approval.js';
import type { ExecCommandArgs } from '../arguments/tool-arguments.js';
import { ToolFailure } from '../tool-error.js';

export interface CommandRequest {
  readonly callId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly escalated: boolean;
  readonly justification: string | undefined;
  readonly prefixRule: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** How long a denial is waited for that may be followed by a retry. */
  readonly earlyExitMs: number;
}

export interface RequestPlace {
  readonly info: ExecServerClient['info'];
  readonly cwd: string;
  readonly environmentId: string;
  readonly allowLogin: boolean;
  readonly policy: ApprovalPolicy;
}

export interface CallIdentity {
  readonly callId: string;
  readonly signal: AbortSignal;
}

export function commandRequest(
  args: ExecCommandArgs,
  place: RequestPlace,
  { callId, signal }: CallIdentity,
): Omit<CommandRequest, 'earlyExitMs'> {
  const { environment_id: environment, workdir, sandbox_permissions: permissions, justification } = args;
  if (environment !== undefined && environment !== place.environmentId) {
    throw refused(`unknown turn environment id \`${environment}\``, 'Omit `environment_id`.');
  }
  const argv = shellArgv(args, place);
  const escalated = permissions !== undefined && permissions !== 'use_default';
  if (justification !== undefined && permissions === undefined) {
    throw refused(
      '`justification` requires an explicit `sandbox_permissions`; use `sandbox_permissions: "require_escalated"` for unsandboxed execution, or omit `justification`.',
      'Add `sandbox_permissions` or omit `justification`.',
    );
  }
  if (escalated && !asksForSandbox(place.policy)) throw escalationRefused(place.policy);
  if (permissions === 'with_additional_permissions') {
    throw refused(
      '`with_additional_permissions` is not offered here; use `require_escalated` or `use_default`.',
      'Use `require_escalated`, or omit `sandbox_permissions`.',
    );
  }
  return {
    callId,
    argv,
    cwd: joinedPath(place.cwd, workdir),
    tty: args.tty === true,
    escalated,
    justification,
    prefixRule: args.prefix_rule,
    signal,
  };
}

/** For a patch that is no part of a command. */
export function patchRequest(
  patch: string,
  { cwd }: RequestPlace,
  { callId, signal }: CallIdentity,
): Omit<CommandRequest, 'earlyExitMs'> {
  return {
    callId,
    argv: ['apply_patch', patch],
    cwd,
    tty: false,
    escalated: false,
    justification: undefined,
    prefixRule: undefined,
    signal,
  };
}

function shellArgv(
  { cmd, shell: wanted, login }: ExecCommandArgs,
  { info, environmentId, allowLogin }: RequestPlace,
): string[] {
  const { shell } = info;
  if (wanted !== undefined && shellType(wanted) !== shell.name) {
    throw refused(
      `environment \`${environmentId}\` only supports \`${shell.name}\``,
      'Omit `shell`, or start the other shell in `cmd`.',
    );
  }
  if (login === true && !allowLogin) {
    throw refused('login shell is disabled by config; omit `login` or set it to false.', 'Omit `login`.');
  }
  const asLogin = login ?? allowLogin;
  switch (shell.name) {
    case 'powershell':
      return [shell.path, ...(asLogin ? [] : ['-NoProfile']), '-Command', cmd];
    case 'cmd':
      return [shell.path, '/c', cmd];
    default:
      return [shell.path, asLogin ? '-lc' : '-c', cmd];
  }
}

function shellType(shell: string): string {
  const name =
    shell
      .split(/[\\/]/)
      .at(-1)
      ?.toLowerCase()
      .replace(/\.exe$/, '') ?? '';
  return name === 'pwsh' ? 'powershell' : name;
}

/** An empty folder counts as none. */
export function joinedPath(base: string, workdir: string | undefined): string {
  if (workdir === undefined || workdir === '') return base;
  if (workdir.startsWith('/') || /^[A-Za-z]:[\\/]/.test(workdir)) return workdir;
  return base.endsWith('/') ? base + workdir : `${base}/${workdir}`;
}

function refused(message: string, hint: string): ToolFailure {
  return new ToolFailure('tool.arguments', message, { hint });
}

function escalationRefused(policy: ApprovalPolicy): ToolFailure {
  const name = policyName(policy);
  return new ToolFailure(
    'tool.escalationRefused',
    `approval policy is ${name}; reject command — you cannot ask for escalated permissions if the approval policy is ${name}`,
    { hint: 'Run it inside the sandbox: omit `sandbox_permissions`.' },
  );
}
