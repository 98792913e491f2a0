// A command in bubblewrap: policy to mounts, filter, arguments, descriptors, and what has to happen afterwards.
import { statSync } from 'node:fs';
import { SandboxError } from '../errors.js';
import { createAccessLookup } from '../policy/access-lookup.js';
import type { ResolvedPolicy } from '../policy/resolve-policy.js';
import type {
  FinishedSandbox,
  PreparedSandbox,
  SandboxRequest,
  StartedWrapper,
  WrapperExit,
} from '../sandbox-request.js';
import { buildMountPlan } from './build-mount-plan.js';
import { buildBwrapArguments } from './bwrap-arguments.js';
import { findCommandPid, reportsCommandExit } from './bwrap-status.js';
import { keepConfiningPrograms } from './confining-programs.js';
import { DescriptorList } from './descriptor-list.js';
import { HostChanges } from './host-changes/host-changes.js';
import type { BubblewrapFacts, LinuxHost } from './host-probe.js';
import { kernelSettings } from './kernel-settings.js';
import { refusePorts } from './landlock/refused-ports.js';
import { PathInspector } from './locate/path-inspector.js';
import { scanDenyGlobs } from './locate/scan-deny-globs.js';
import { inSlices } from './locate/time-slices.js';
import { checkMountBudget } from './mount-budget.js';
import type { MountPlan } from './mount-plan.js';
import { seccompProgramFor } from './seccomp/seccomp-program.js';
import { hostControlSockets } from './sockets/host-control-sockets.js';
import { shieldFromTerminal } from './terminal-shield.js';

const maxAttempts = 3;

export interface BubblewrapInput {
  readonly request: SandboxRequest;
  readonly policy: ResolvedPolicy;
  readonly host: LinuxHost;
  readonly bubblewrap: BubblewrapFacts;
}

export async function prepareBubblewrap(input: BubblewrapInput): Promise<PreparedSandbox> {
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
      },
      hardLinks: request.hardLinks ?? 'refuse',
    });
    const plan = await inSlices(planning);
    checkMountBudget(plan, Object.keys(request.env).length);
    let changes: HostChanges | undefined;
    try {
      changes = await HostChanges.make(plan);
      return assemble({
        ...input,
        plan: { ...plan, warnings: [...scan.warnings, ...plan.warnings] },
        changes,
      });
    } catch (error) {
      await changes?.undo();
      // Between the look and the change another process may have put something in the way: then a new plan is made.
      const isOvertaken = error instanceof SandboxError && error.code === 'SANDBOX_PREPARE_FAILED';
      if (changes !== undefined || !isOvertaken || attempt === maxAttempts) throw error;
    }
  }
}

interface Assembly extends BubblewrapInput {
  readonly plan: MountPlan;
  readonly changes: HostChanges;
}

function assemble({ request, policy, host, bubblewrap, plan, changes }: Assembly): PreparedSandbox {
  const descriptors = new DescriptorList();
  const [program = '', ...rest] = request.argv;
  const shield = request.terminal === true ? shieldFromTerminal(host, program) : noShield;
  const name = nameOverride(request, bubblewrap, shield.inside.length > 0);
  const privateNetwork = policy.network !== 'enabled';
  const ports = refusePorts(request, policy, { landlockAbi: host.landlockAbi, wrapper: bubblewrap.path });
  const built = buildBwrapArguments(
    {
      plan,
      cwd: request.cwd,
      env: request.env,
      privateNetwork,
      seccompProgram: seccompProgramFor({
        network: policy.network,
        unixSockets: policy.unixSockets === 'host',
        privateNetwork,
        refusesPorts: ports.rules !== undefined,
      }),
      keepTerminal: request.terminal === true,
      dieWithParent: request.dieWithParent !== false,
      mountProc: host.mountsProc,
      kernelSettings: kernelSettings(),
      hostDevices: !policy.restrictsFiles,
      replaced: request.replaceFiles ?? [],
      supported: bubblewrap.options,
      ...(name.option === undefined ? {} : { arg0: name.option }),
    },
    descriptors,
  );
  let wrapper: StartedWrapper | undefined;
  let finished: FinishedSandbox | undefined;
  let ownReport: string | undefined;
  const readOwnReport = (): string => ownReport ?? wrapper?.report?.read() ?? '';
  // bubblewrap fails with 1. A wrapper that was killed had no time to report, which says nothing about the command.
  const commandStarted = (exit: WrapperExit | undefined): boolean =>
    (exit !== undefined && exit.code !== 1) ||
    reportsCommandExit(exit?.report === undefined ? readOwnReport() : Buffer.from(exit.report).toString());
  return {
    type: 'linuxSeccomp',
    argv: [
      ...shield.before,
      bubblewrap.path,
      ...built.argv,
      ...shield.inside,
      ...name.inside,
      program,
      ...rest,
    ],
    cwd: '/',
    env: {},
    inheritFds: descriptors.list,
    ...(ports.rules === undefined ? {} : { restrict: { noNewPrivileges: true, landlock: ports.rules } }),
    // Through the host's /proc a command of the same user reaches processes that its own signals do not.
    ownPidNamespace: host.mountsProc,
    changesHost: changes.isVisible,
    warnings: [...plan.warnings, ...shield.warnings, ...built.warnings, ...ports.warnings],
    started: (started) => {
      wrapper = started;
    },
    commandPid: () =>
      finished !== undefined || wrapper === undefined ? undefined : findCommandPid(wrapper.pid),
    commandStarted,
    finish: (exit) => {
      if (finished !== undefined) return finished;
      ownReport = readOwnReport();
      wrapper?.report?.close();
      finished = { commandStarted: commandStarted(exit), cleanup: changes.undo() };
      return finished;
    },
  };
}

const noShield = { before: [], inside: [], warnings: [] } as const;

/** bubblewrap sets the name since 0.9; before, bash can, and it is used only where it is needed. */
function nameOverride(
  request: SandboxRequest,
  bubblewrap: BubblewrapFacts,
  shielded: boolean,
): { option?: string; inside: string[] } {
  if (request.arg0 === undefined) return { inside: [] };
  if (bubblewrap.options.has('--argv0') && !shielded) return { option: request.arg0, inside: [] };
  return { inside: ['/bin/bash', '-c', 'exec -a "$0" -- "$@"', request.arg0] };
}

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
