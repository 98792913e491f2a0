// Finds out what this machine can enforce, once per process, by running two or three short programs.
import { readFileSync } from 'node:fs';
import { locateLauncherProgram } from '@codex/launcher';
import { defaultSearchPath, freshProc, trialArguments } from './bubblewrap-trial.js';
import { findExecutable } from './find-executable.js';
import { type ProbeResult, runProbe } from './run-probe.js';

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
  // Side by side: the first client waits for the answer.
  const [{ bubblewrap, trial }, signalEnv, landlockAbi] = await Promise.all([
    probeBubblewrap(findExecutable('bwrap', path)),
    probeSignalEnv(findExecutable('env', path)),
    askLandlockAbi(options.launcherPath ?? locateLauncherProgram()),
  ]);
  return {
    bubblewrap,
    namespaces: trial?.namespaces ?? {
      works: false,
      reason: 'no-bubblewrap',
      message: 'bubblewrap (bwrap) is not installed',
    },
    mountsProc: trial?.mountsProc ?? false,
    signalEnv,
    landlockAbi,
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

async function probeBubblewrap(executable: string | undefined) {
  if (executable === undefined) return { bubblewrap: undefined, trial: undefined };
  const [bubblewrap, full] = await Promise.all([
    describeBubblewrap(executable),
    runProbe(executable, [...trialArguments, ...freshProc, '--', 'true']),
  ]);
  return { bubblewrap, trial: await judgeNamespaces(bubblewrap, full) };
}

async function probeSignalEnv(env: string | undefined): Promise<string | undefined> {
  if (env === undefined) return undefined;
  return (await runProbe(env, ['--ignore-signal=INT', 'true'])).ok ? env : undefined;
}

async function askLandlockAbi(launcher: string | undefined): Promise<number | undefined> {
  if (launcher === undefined) return undefined;
  const abi = /landlock (\d+)/.exec((await runProbe(launcher, ['--probe'])).stdout)?.[1];
  return abi === undefined ? undefined : Number(abi);
}

async function describeBubblewrap(path: string): Promise<BubblewrapFacts> {
  const [version, help] = await Promise.all([runProbe(path, ['--version']), runProbe(path, ['--help'])]);
  return {
    path,
    version: /\d+(\.\d+)+/.exec(version.stdout)?.[0] ?? 'unknown',
    options: new Set(`${help.stdout}${help.stderr}`.match(/--[a-z0-9-]+/g) ?? []),
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
  const withoutProc = await runProbe(bubblewrap.path, [...trialArguments, '--', 'true']);
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
