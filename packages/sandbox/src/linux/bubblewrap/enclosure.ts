// What encloses one command: the plan of its mounts, what stands on the host for them, and bubblewrap's options.
import { statSync } from 'node:fs';
import { SandboxError } from '../../errors.js';
import { createAccessLookup } from '../../policy/access-lookup.js';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import type { SandboxRequest } from '../../sandbox-request.js';
import { buildMountPlan } from '../build-mount-plan.js';
import { keepConfiningPrograms } from '../confining-programs.js';
import { HostChanges } from '../host-changes/host-changes.js';
import type { BubblewrapFacts, LinuxHost } from '../host-probe.js';
import { kernelSettings } from '../kernel-settings.js';
import { refusePorts } from '../landlock/refused-ports.js';
import { PathInspector } from '../locate/path-inspector.js';
import { scanDenyGlobs } from '../locate/scan-deny-globs.js';
import { inSlices } from '../locate/time-slices.js';
import { checkMountBudget } from '../mount-budget.js';
import type { MountPlan } from '../mount-plan.js';
import { seccompProgramFor } from '../seccomp/seccomp-program.js';
import { hostControlSockets } from '../sockets/host-control-sockets.js';
import { buildBwrapArguments } from './bwrap-arguments.js';
import { DescriptorList } from './descriptor-list.js';

const maxAttempts = 3;

export interface BubblewrapInput {
  readonly request: SandboxRequest;
  readonly policy: ResolvedPolicy;
  readonly host: LinuxHost;
  readonly bubblewrap: BubblewrapFacts;
}

export interface Enclosure {
  readonly changes: HostChanges;
  readonly options: Uint8Array;
  /** See `LaunchSpec`. */
  readonly keptMounts: readonly string[];
  /** Those that the options name. */
  readonly descriptors: DescriptorList;
  readonly warnings: readonly string[];
}

/** `arg0`: what bubblewrap is to call the command. Rejects with nothing left on the host. */
export async function enclose(input: BubblewrapInput, arg0: string | undefined): Promise<Enclosure> {
  const { request } = input;
  const policy = keepConfiningPrograms(input.policy, input.host, request.keepFiles);
  const keepOpen = policy.rules.filter((rule) => rule.access !== 'deny').map((rule) => rule.path);
  const scan = await scanDenyGlobs(policy.denyGlobs, {
    maxDepth: policy.globScanMaxDepth,
    keepOpen: [...keepOpen, request.cwd],
  });
  checkWorkingDirectory(policy, request.cwd);
  for (let attempt = 1; ; attempt += 1) {
    const planning = buildMountPlan({
      policy,
      denials: {
        byGlob: [...scan.denied, ...(await controlSockets(policy, request.env))],
        always: request.alwaysDeny ?? [],
        unchangeable: request.ownFolders ?? [],
      },
      hardLinks: request.hardLinks ?? 'refuse',
    });
    const plan = await inSlices(planning);
    checkMountBudget(plan, Object.keys(request.env).length);
    let changes: HostChanges | undefined;
    try {
      changes = await HostChanges.make(plan);
      const descriptors = new DescriptorList();
      const { options, keptMounts, warnings } = argumentsOf(
        { ...input, policy },
        { plan, arg0, descriptors },
      );
      return {
        changes,
        options,
        keptMounts,
        descriptors,
        warnings: [...scan.warnings, ...plan.warnings, ...warnings],
      };
    } catch (error) {
      await changes?.undo();
      // Between the look and the change another process may have put something in the way: then a new plan is made.
      const isOvertaken = error instanceof SandboxError && error.code === 'SANDBOX_PREPARE_FAILED';
      if (changes !== undefined || !isOvertaken || attempt === maxAttempts) throw error;
    }
  }
}

interface Planned {
  readonly plan: MountPlan;
  readonly arg0: string | undefined;
  readonly descriptors: DescriptorList;
}

function argumentsOf(input: BubblewrapInput, { plan, arg0, descriptors }: Planned) {
  const { request, policy, host, bubblewrap } = input;
  const privateNetwork = policy.network !== 'enabled';
  const isOnSharedTerminal = request.terminal === true && request.ownTerminal !== true;
  const ports = refusePorts(request, policy, { landlockAbi: host.landlockAbi, wrapper: bubblewrap.path });
  return buildBwrapArguments(
    {
      plan,
      cwd: request.cwd,
      env: request.env,
      privateNetwork,
      seccompProgram: seccompProgramFor({
        network: policy.network,
        unixSockets: policy.unixSockets === 'host',
        privateNetwork,
        sharesProcessGroup: isOnSharedTerminal,
        sharesTerminal: isOnSharedTerminal || request.outputIsTerminal === true,
        refusesPorts: ports.rules !== undefined,
      }),
      keepTerminal: request.terminal === true,
      dieWithParent: request.dieWithParent !== false,
      mountProc: host.mountsProc,
      kernelSettings: kernelSettings(),
      hostDevices: !policy.restrictsFiles,
      nullDeviceOnly: request.nullDeviceOnly === true && !namesDevices(policy),
      replaced: request.replaceFiles ?? [],
      supported: bubblewrap.options,
      ...(arg0 === undefined ? {} : { arg0 }),
    },
    descriptors,
  );
}

/** Their plan has no step for them: /dev is the sandbox's own, with the devices that every command may use. */
const namesDevices = ({ rules }: ResolvedPolicy): boolean =>
  rules.some(({ path }) => /^\/dev(\/|$)/.test(path));

/** Sockets that control the host, unless the policy names them. */
async function controlSockets(policy: ResolvedPolicy, env: SandboxRequest['env']): Promise<string[]> {
  if (policy.unixSockets === 'none' || !policy.restrictsFiles) return [];
  const inspector = new PathInspector();
  const named = new Set(policy.rules.map(({ path }) => path));
  for (const { path } of policy.rules) named.add((await inSlices(inspector.locateInSteps(path))).path);
  const found = await hostControlSockets([process.env, env]);
  return found.filter((path) => !named.has(path));
}

function checkWorkingDirectory(policy: ResolvedPolicy, cwd: string): void {
  let errno = 'ENOENT';
  try {
    if (!statSync(cwd).isDirectory()) errno = 'ENOTDIR';
    else if (createAccessLookup(policy).canRead(cwd)) return;
    else errno = 'EACCES';
  } catch (error) {
    errno = (error as NodeJS.ErrnoException).code ?? errno;
  }
  const reason = errno === 'EACCES' ? 'the policy does not let the command read it' : errno;
  throw new SandboxError('SANDBOX_PREPARE_FAILED', `the command cannot start in ${cwd}: ${reason}`, {
    details: { stage: 'cwd', errno, cwd },
  });
}
