// How confined a process is, from its status in /proc, which stays readable even when the process hides the rest of itself.
// Confinement is for life: a process can become more confined, and never less.
// Does not see: a chroot or a mount namespace without one of the marks below, Landlock without `no new privileges`.

export interface ProcessStatus {
  readonly parentPid: number;
  /** Real, effective, saved and of the file system. */
  readonly uids: readonly number[];
  /** 1 for a process in our own pid namespace, more inside another. */
  readonly pidNamespaceDepth: number;
  readonly noNewPrivileges: boolean;
  readonly seccompFilters: number;
}

const PARENT = /^PPid:\s+(\d+)$/m;
const UIDS = /^Uid:((?:\s+\d+)+)$/m;
const NS_PID = /^NSpid:((?:\s+\d+)+)$/m;
const NO_NEW_PRIVS = /^NoNewPrivs:\s+1$/m;
const SECCOMP_FILTERS = /^Seccomp_filters:\s+(\d+)$/m;
const SECCOMP_ON = /^Seccomp:\s+2$/m;

export function parseProcessStatus(text: string): ProcessStatus | undefined {
  const uids = numbers(UIDS.exec(text)?.[1]);
  if (uids.length === 0) return undefined;
  const filters = SECCOMP_FILTERS.exec(text)?.[1] ?? (SECCOMP_ON.test(text) ? '1' : '0');
  return {
    parentPid: Number(PARENT.exec(text)?.[1] ?? 0),
    uids,
    pidNamespaceDepth: Math.max(1, numbers(NS_PID.exec(text)?.[1]).length),
    noNewPrivileges: NO_NEW_PRIVS.test(text),
    seccompFilters: Number(filters),
  };
}

function numbers(text = ''): number[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(Number);
}

/** Whether the only restriction is the one that a program lays on itself: that it will not gain privileges. */
export function gaveUpPrivilegesOnly(process: ProcessStatus, own: ProcessStatus): boolean {
  return !isMoreConfined({ ...process, noNewPrivileges: false }, own);
}

/** Whether a process lives under restrictions that this server does not: that is what a sandbox looks like. */
export function isMoreConfined(process: ProcessStatus, own: ProcessStatus): boolean {
  return (
    process.pidNamespaceDepth > own.pidNamespaceDepth ||
    (process.noNewPrivileges && !own.noNewPrivileges) ||
    process.seccompFilters > own.seccompFilters
  );
}
