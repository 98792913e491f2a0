// Finds out what this machine can enforce, once per process, by running two or three short programs.
import { readFileSync } from 'node:fs';
import { locateLauncherProgram } from '@codex/launcher';
import { defaultSearchPath, tryBubblewrap, tryBubblewrapWithoutProc } from './bubblewrap-trial.js';
import { findExecutable } from './find-executable.js';
import { type ProbeResult, runProbes } from './run-probe.js';

export interface BubblewrapFacts {
  readonly path: string;
  readonly version: string;
  /** `--bind-fd`, `--disable-userns`, `--argv0` … as its help lists them. */
  readonly options: ReadonlySet<string>;
}

export type NamespaceVerdict =
  | { readonly works: true }
  | { readonly works: false; readonly reason: NamespaceFailure; readonly message: string };

/** `unknown` carries bubblewrap's own words. */
export type NamespaceFailure =
  | 'user-namespaces'
  | 'network-namespace'
  | 'missing-option'
  | 'no-bubblewrap'
  | 'unknown';

export interface LinuxHost {
  readonly bubblewrap: BubblewrapFacts | undefined;
  readonly namespaces: NamespaceVerdict;
  /** A fresh /proc can be mounted. Nested containers often refuse it. */
  readonly mountsProc: boolean;
  /** GNU env with `--ignore-signal`, which keeps Ctrl-C away from bubblewrap itself. */
  readonly signalEnv: string | undefined;
  /** What the kernel's Landlock can do; 0 when there is none, undefined when the launcher that asks is missing. */
  readonly landlockAbi: number | undefined;
  readonly appArmorRestrictsNamespaces: boolean;
  readonly maxUserNamespaces: number | undefined;
  readonly unprivilegedClone: boolean;
  readonly isWsl1: boolean;
}

/** Without these the sandbox cannot be built; all are in bubblewrap 0.5. */
export const requiredOptions = [
  '--args',
  '--perms',
  '--clearenv',
  '--json-status-fd',
  '--seccomp',
  '--remount-ro',
];

export interface ProbeOptions {
  /** Where programs are looked for. Default: PATH of this process, then the system directories. */
  readonly searchPath?: string;
  /** The codex-launcher program, which applies Landlock. Default: found beside the launcher package. */
  readonly launcherPath?: string;
}

export async function probeLinuxHost(options: ProbeOptions = {}): Promise<LinuxHost> {
  const path = options.searchPath ?? defaultSearchPath();
  const executable = findExecutable('bwrap', path);
  const env = findExecutable('env', path);
  const launcher = options.launcherPath ?? locateLauncherProgram();
  const [full, [version, help, signal, kernel]] = await Promise.all([
    executable === undefined ? undefined : tryBubblewrap(executable),
    runProbes([
      executable === undefined ? undefined : [executable, '--version'],
      executable === undefined ? undefined : [executable, '--help'],
      env === undefined ? undefined : [env, '--ignore-signal=INT', 'true'],
      launcher === undefined ? undefined : [launcher, '--probe'],
    ]),
  ]);
  const bubblewrap = executable === undefined ? undefined : describeBubblewrap(executable, version, help);
  const trial = bubblewrap && full && (await judgeNamespaces(bubblewrap, full));
  return {
    bubblewrap,
    namespaces: trial?.namespaces ?? {
      works: false,
      reason: 'no-bubblewrap',
      message: 'bubblewrap (bwrap) is not installed',
    },
    mountsProc: trial?.mountsProc ?? false,
    signalEnv: signal?.ok === true ? env : undefined,
    landlockAbi: readLandlockAbi(kernel),
    appArmorRestrictsNamespaces:
      readText('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')?.trim() === '1',
    maxUserNamespaces: readNumber('/proc/sys/user/max_user_namespaces'),
    unprivilegedClone: readText('/proc/sys/kernel/unprivileged_userns_clone')?.trim() !== '0',
    isWsl1:
      /Microsoft/.test(readText('/proc/version') ?? '') &&
      !/microsoft-standard/i.test(readText('/proc/version') ?? ''),
  };
}

let cached: Promise<LinuxHost> | undefined;

/** The probe of this process, made at the first call. */
export function linuxHost(): Promise<LinuxHost> {
  cached ??= probeLinuxHost();
  return cached;
}

function readLandlockAbi(kernel: ProbeResult | undefined): number | undefined {
  const abi = /landlock (\d+)/.exec(kernel?.stdout ?? '')?.[1];
  return abi === undefined ? undefined : Number(abi);
}

function describeBubblewrap(
  path: string,
  version: ProbeResult | undefined,
  help: ProbeResult | undefined,
): BubblewrapFacts {
  return {
    path,
    version: /\d+(\.\d+)+/.exec(version?.stdout ?? '')?.[0] ?? 'unknown',
    options: new Set(`${help?.stdout}${help?.stderr}`.match(/--[a-z0-9-]+/g) ?? []),
  };
}

/** `full` is what became of the trial with everything. */
async function judgeNamespaces(
  bubblewrap: BubblewrapFacts,
  full: ProbeResult,
): Promise<{ namespaces: NamespaceVerdict; mountsProc: boolean }> {
  const absent = requiredOptions.filter((option) => !bubblewrap.options.has(option));
  if (absent.length > 0) {
    const message = `bubblewrap ${bubblewrap.version} at ${bubblewrap.path} lacks ${absent.join(', ')}; 0.8 or newer is needed`;
    return { namespaces: { works: false, reason: 'missing-option', message }, mountsProc: false };
  }
  if (full.ok) return { namespaces: { works: true }, mountsProc: true };
  const withoutProc = await tryBubblewrapWithoutProc(bubblewrap.path);
  if (withoutProc.ok) return { namespaces: { works: true }, mountsProc: false };
  const message = withoutProc.stderr.trim();
  return { namespaces: { works: false, reason: classifyFailure(message), message }, mountsProc: false };
}

export function classifyFailure(message: string): NamespaceFailure {
  if (/loopback: Failed RTM_NEW/.test(message)) return 'network-namespace';
  if (/uid map|No permissions to creat|new namespace|user namespace|CLONE_NEWUSER/i.test(message))
    return 'user-namespaces';
  return 'unknown';
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readNumber(path: string): number | undefined {
  const text = readText(path);
  return text === undefined ? undefined : Number(text.trim());
}
