// The bubblewrap command line of a mount plan. The options travel through a descriptor: they may be larger than one
// argument can be, and neither the policy nor the environment shows up in a process list.
import { SandboxError } from '../../errors.js';
import type { ReplacedFile } from '../../sandbox-request.js';
import { type BindStep, keptMountPoints, type MountPlan, type MountStep } from '../mount-plan.js';
import type { DescriptorList } from './descriptor-list.js';
import { othersCanTake } from './others-can-take.js';

export interface BwrapRequest {
  readonly plan: MountPlan;
  readonly cwd: string;
  /** The whole environment of the command. bubblewrap itself runs without it: a loader variable must not reach it. */
  readonly env: Readonly<Record<string, string>>;
  readonly arg0?: string;
  readonly privateNetwork: boolean;
  readonly seccompProgram: Uint8Array;
  /** Keep the terminal of the caller, for job control; otherwise the command gets a session of its own. */
  readonly keepTerminal: boolean;
  /** End the command when bubblewrap's parent ends. */
  readonly dieWithParent: boolean;
  /** False where the kernel refuses a fresh /proc and the caller accepts the host's. */
  readonly mountProc: boolean;
  /** Only the network is restricted: the files are those of the host, devices included. */
  readonly hostDevices: boolean;
  /** Of /dev only `null`, where the root is empty. */
  readonly nullDeviceOnly: boolean;
  /** Parts of /proc that stay read-only. */
  readonly kernelSettings: readonly string[];
  /** Files that are others inside. */
  readonly replaced: readonly ReplacedFile[];
  /** The options that this bubblewrap knows. */
  readonly supported: ReadonlySet<string>;
}

export interface BwrapArguments {
  /** The options as bubblewrap reads them from a descriptor. */
  readonly options: Uint8Array;
  /** The mount points that protect something as long as they stay; bubblewrap tells when they are made. */
  readonly keptMounts: readonly string[];
  readonly warnings: readonly string[];
}

/** bubblewrap itself stops at 9000. */
const maxArguments = 8900;
/**
 * bubblewrap looks a name up again when it mounts, outside the sandbox and following links. Of a handle it compares device
 * and inode with what it has mounted, and gives up when they differ.
 */
export const bindByHandleOptions: readonly string[] = ['--bind-fd', '--ro-bind-fd'];

/** What follows the bubblewrap path, up to the command: it reads its options from here, one descriptor after the other. */
export function readingOptionsFrom(...descriptors: readonly number[]): string[] {
  return [...descriptors.flatMap((descriptor) => ['--args', String(descriptor)]), '--'];
}

/** `descriptors` gets those that the options name. */
export function buildBwrapArguments(request: BwrapRequest, descriptors: DescriptorList): BwrapArguments {
  const missing = bindByHandleOptions.filter((option) => !request.supported.has(option));
  const bindByHandle = missing.length === 0;
  const keptMounts = keptMountsOf(request);
  const options = [
    ...isolation(request, descriptors.addReport()),
    ...baseMounts(request),
    ...request.plan.steps.flatMap((step) => mountOptions(step, bindByHandle ? descriptors : undefined)),
    ...request.replaced.flatMap(({ path, by }) =>
      bindOptions('--ro-bind', { path: by }, bindByHandle ? descriptors : undefined, path),
    ),
    ...sealHidden(request.plan),
    ...(keptMounts.length === 0 ? [] : ['--block-fd', String(descriptors.addSettled())]),
    '--seccomp',
    String(descriptors.addData(request.seccompProgram)),
    '--chdir',
    request.cwd,
    '--clearenv',
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(request.arg0 === undefined ? [] : ['--argv0', request.arg0]),
  ];
  checkOptions(options);
  return {
    options: Buffer.from(options.map((option) => `${option}\0`).join('')),
    keptMounts,
    warnings: bindByHandle ? [] : [boundByName(missing)],
  };
}

/** Where only the network is restricted, nothing covers anything. */
function keptMountsOf({ plan, replaced }: BwrapRequest): string[] {
  const mounts = new Set([...keptMountPoints(plan.steps), ...replaced.map(({ path }) => path)]);
  return [...mounts].filter((path) => !othersCanTake(path));
}

function boundByName(missing: readonly string[]): string {
  return (
    `this bubblewrap has no ${missing.join(' and no ')}: a command that runs at the same time could swap a ` +
    'writable or a read-only directory for a link while the sandbox is mounted, and so open what is denied'
  );
}

function isolation(request: BwrapRequest, report: number): string[] {
  return [
    '--unshare-user',
    // Where the option is missing, the filter alone refuses new user namespaces.
    ...(request.supported.has('--disable-userns') ? ['--disable-userns'] : []),
    '--unshare-pid',
    '--unshare-ipc',
    ...(request.privateNetwork ? ['--unshare-net'] : []),
    '--cap-drop',
    'ALL',
    ...(request.keepTerminal ? [] : ['--new-session']),
    ...(request.dieWithParent ? ['--die-with-parent'] : []),
    '--json-status-fd',
    String(report),
  ];
}

/**
 * Process 1 of the sandbox is bubblewrap, started from a mount of the host: through its `exe` in /proc the owner of the program, root
 * for one, changes its mode and times whatever is read-only here.
 */
const hiddenWrapper: readonly string[] = ['--perms', '0555', '--tmpfs', '/proc/1'];

function baseMounts(request: BwrapRequest): string[] {
  const { plan, mountProc, kernelSettings, hostDevices } = request;
  const base = { readOnly: ['--ro-bind', '/', '/'], writable: ['--bind', '/', '/'], empty: ['--tmpfs', '/'] }[
    plan.base
  ];
  const proc = mountProc
    ? ['--proc', '/proc', ...kernelSettings.flatMap((path) => ['--ro-bind', path, path])]
    : [];
  if (hostDevices) return ['--dev-bind', '/', '/', ...proc];
  return [...base, ...devices(request), ...proc, ...(mountProc ? hiddenWrapper : [])];
}

/** Where the root is not empty, /dev is the host's as long as nothing covers it. */
function devices({ plan, nullDeviceOnly }: BwrapRequest): string[] {
  return nullDeviceOnly && plan.base === 'empty'
    ? ['--dev-bind', '/dev/null', '/dev/null']
    : ['--dev', '/dev'];
}

function mountOptions(step: MountStep, descriptors: DescriptorList | undefined): string[] {
  switch (step.type) {
    case 'bind':
      return bindOptions('--bind', step, descriptors);
    case 'readOnlyBind':
      return bindOptions('--ro-bind', step, descriptors);
    case 'hideDirectory':
      return ['--perms', step.passable ? '0111' : '0000', '--tmpfs', step.path];
    case 'hideFile':
      // A device on a mount that allows none: opening it fails for all users, and nothing has to be created.
      return ['--ro-bind', '/dev/null', step.path];
    case 'coverMissing':
      return ['--perms', step.listable ? '0555' : '0000', '--tmpfs', step.path];
    case 'symlink':
      return ['--symlink', step.target, step.path];
  }
}

function bindOptions(
  option: '--bind' | '--ro-bind',
  { path, identity }: Pick<BindStep, 'path' | 'identity'>,
  descriptors: DescriptorList | undefined,
  target = path,
): string[] {
  if (descriptors === undefined) return [option, path, target];
  return [`${option}-fd`, String(descriptors.addPath(path, identity)), target];
}

/** Last, because mount points have to be made inside hidden directories first. */
function sealHidden(plan: MountPlan): string[] {
  const sealed = plan.steps
    .filter((step) => step.type === 'hideDirectory' || step.type === 'coverMissing')
    .flatMap((step) => ['--remount-ro', step.path]);
  return plan.base === 'empty' ? [...sealed, '--remount-ro', '/'] : sealed;
}

function checkOptions(options: readonly string[]): void {
  if (options.length > maxArguments) {
    throw new SandboxError(
      'SANDBOX_POLICY_UNENFORCEABLE',
      `the policy needs ${options.length} bubblewrap arguments, more than the ${maxArguments} it accepts; ` +
        'deny directories instead of single files, or pass fewer environment variables',
    );
  }
  const broken = options.find((option) => option.includes('\0'));
  if (broken !== undefined) {
    throw new SandboxError('SANDBOX_POLICY_INVALID', `${JSON.stringify(broken)} contains a NUL character`);
  }
}
