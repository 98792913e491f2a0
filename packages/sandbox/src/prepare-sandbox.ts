// Turns a command and a policy into a command line that enforces the policy, or fails with the reason. Everything
// else in this package is behind it.

import { oldNodeComplaint } from '@codex/exec-protocol';
import { record, type ValueRule } from '@codex/exec-protocol/options';
import { SandboxError } from './errors.js';
import { prepareBubblewrap } from './linux/bubblewrap/prepare-bubblewrap.js';
import { linuxFindings } from './linux/host-findings.js';
import { type LinuxHost, linuxHost } from './linux/host-probe.js';
import { prepareLandlock } from './linux/landlock/prepare-landlock.js';
import { prepareSeatbelt } from './macos/prepare-seatbelt.js';
import { checkOptions } from './options/check-options.js';
import { isAbsolutePath } from './policy/path-text.js';
import type { PolicyContext } from './policy/policy-model.js';
import { isResolved, type ResolvedPolicy, resolvePolicy } from './policy/resolve-policy.js';
import { checkPrepareRequest } from './prepare-rules.js';
import type { PreparedSandbox, SandboxRequest } from './sandbox-request.js';
import { withoutAftermath } from './without-aftermath.js';

export interface PrepareOptions {
  /** What the host can do. Default: found out once per process. */
  readonly host?: LinuxHost;
}

const PREPARE_OPTIONS = { host: record } as const satisfies Record<keyof PrepareOptions, ValueRule>;

export async function prepareSandbox(
  request: SandboxRequest,
  options: PrepareOptions = {},
): Promise<PreparedSandbox> {
  const complaint = oldNodeComplaint();
  if (complaint !== undefined) throw new SandboxError('SANDBOX_UNAVAILABLE', complaint);
  checkPrepareRequest(request);
  checkOptions(options, { of: 'prepareSandbox', values: PREPARE_OPTIONS });
  checkRequest(request);
  const policy = isResolved(request.policy)
    ? request.policy
    : resolvePolicy(request.policy, policyContext(request));
  if (!policy.restrictsFiles && policy.network === 'enabled' && policy.unixSockets === 'host')
    return unconfined(request);
  if (process.platform === 'linux')
    return prepareLinux({ request, policy, host: options.host ?? (await linuxHost()) });
  if (process.platform === 'darwin') {
    requireNoMounts(request);
    return prepareSeatbelt(request, policy);
  }
  throw new SandboxError('SANDBOX_UNAVAILABLE', `there is no sandbox for the platform ${process.platform}`);
}

interface LinuxRequest {
  readonly request: SandboxRequest;
  readonly policy: ResolvedPolicy;
  readonly host: LinuxHost;
}

async function prepareLinux({ request, policy, host }: LinuxRequest): Promise<PreparedSandbox> {
  const { bubblewrap, namespaces } = host;
  if (bubblewrap !== undefined && namespaces.works) {
    if (!host.mountsProc && request.accept?.includes('host-proc') !== true) {
      throw new SandboxError(
        'SANDBOX_UNAVAILABLE',
        'the kernel refuses a fresh /proc, so the command would see the processes of the host (accept it by name: host-proc)',
      );
    }
    return prepareBubblewrap({ request, policy, host, bubblewrap });
  }
  if ((host.landlockAbi ?? 0) > 0) {
    return underLandlock({ request, policy, host });
  }
  throw withFixes('no sandbox can run here', host);
}

async function underLandlock({ request, policy, host }: LinuxRequest): Promise<PreparedSandbox> {
  try {
    requireNoMounts(request);
    return await prepareLandlock(request, policy, host.landlockAbi);
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'SANDBOX_UNAVAILABLE') throw error;
    throw withFixes(error.message, host);
  }
}

/** Whoever reads a refusal finds in it why bubblewrap does not do it here, and what would change that. */
function withFixes(reason: string, host: LinuxHost): SandboxError {
  const { namespaces } = host;
  const fixes = linuxFindings(host).flatMap(({ status, fix }) =>
    status === 'ok' || fix === undefined ? [] : [fix],
  );
  const why = namespaces.works ? 'bubblewrap is missing' : namespaces.message;
  return new SandboxError('SANDBOX_UNAVAILABLE', `${reason}: ${why}; to fix it: ${fixes.join(' or ')}`, {
    details: { reason, fixes },
  });
}

function requireNoMounts({ keepFiles = [], replaceFiles = [] }: SandboxRequest): void {
  if (keepFiles.length + replaceFiles.length === 0) return;
  throw new SandboxError(
    'SANDBOX_UNAVAILABLE',
    'only bubblewrap can keep files as they are or show others in their place (keepFiles, replaceFiles), and it cannot run here',
  );
}

function policyContext(request: SandboxRequest): PolicyContext {
  return { cwd: request.cwd, workspaceRoots: [request.cwd], ...request.context };
}

/** The policy asks for nothing, so the command runs as it is. */
function unconfined({ argv, arg0, cwd, env }: SandboxRequest): PreparedSandbox {
  return withoutAftermath({ type: 'none', argv, ...(arg0 === undefined ? {} : { arg0 }), cwd, env });
}

function checkRequest(request: SandboxRequest): void {
  const invalid = (message: string): SandboxError => new SandboxError('SANDBOX_POLICY_INVALID', message);
  if (request.argv.length === 0 || request.argv[0] === '') throw invalid('the command is empty');
  if (!isAbsolutePath(request.cwd))
    throw invalid(`the working directory ${request.cwd} is not an absolute path`);
  const broken = Object.keys(request.env).find((name) => name === '' || name.includes('='));
  if (broken !== undefined)
    throw invalid(`${JSON.stringify(broken)} cannot be the name of an environment variable`);
  if (request.argv.some((word) => word.includes('\0'))) throw invalid('the command contains a NUL character');
}
