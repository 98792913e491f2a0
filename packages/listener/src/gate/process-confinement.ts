// How confined a process is, from /proc/<pid>/status, which stays readable even when the process hides the rest of itself.

export interface ProcessStatus {
  /** 1 for a process in our own pid namespace, more inside another. */
  readonly pidNamespaceDepth: number;
  readonly noNewPrivileges: boolean;
  readonly seccompFilters: number;
}

const UID = /^Uid:\s+(\d+)/m;
const NS_PID = /^NSpid:((?:\s+\d+)+)$/m;
const NO_NEW_PRIVS = /^NoNewPrivs:\s+1$/m;
const SECCOMP_FILTERS = /^Seccomp_filters:\s+(\d+)$/m;
const SECCOMP_ON = /^Seccomp:\s+2$/m;

/** Undefined for another user's process, which the caller does not ask about. */
export function parseProcessStatus(text: string, wantedUid?: number): ProcessStatus | undefined {
  const uid = UID.exec(text)?.[1];
  if (uid === undefined || (wantedUid !== undefined && Number(uid) !== wantedUid)) return undefined;
  const filters = SECCOMP_FILTERS.exec(text)?.[1] ?? (SECCOMP_ON.test(text) ? '1' : '0');
  return {
    pidNamespaceDepth: NS_PID.exec(text)?.[1]?.trim().split(/\s+/).length ?? 1,
    noNewPrivileges: NO_NEW_PRIVS.test(text),
    seccompFilters: Number(filters),
  };
}

/** Whether a process lives under restrictions that this server does not: that is what a sandbox looks like. */
export function isMoreConfined(process: ProcessStatus, own: ProcessStatus): boolean {
  return (
    process.pidNamespaceDepth > own.pidNamespaceDepth ||
    (process.noNewPrivileges && !own.noNewPrivileges) ||
    process.seccompFilters > own.seccompFilters
  );
}
