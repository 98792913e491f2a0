// What to launch. Plain data; checked by check-launch-spec.ts, encoded for the supervisor by native/spec-codec.ts.

export interface LaunchSpec {
  /** Not empty. `argv[0]` is looked up in the PATH of `env`, relative to `cwd` when it has a slash. */
  readonly argv: readonly string[];
  /** What the program sees as its own name in place of `argv[0]`. */
  readonly arg0?: string;
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment: nothing is added, nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly io: LaunchIo;
  /** Further descriptors of the command; all others are closed. */
  readonly inheritFds?: readonly InheritedFd[];
  readonly restrict?: Restrictions;
  /**
   * Mount points in the sandbox that is launched, without `.`, `..` and links. When one of them is gone, or is found elsewhere, the whole tree is
   * killed at once, and its exit has `lostMount`. The sandbox tells when they are made (`SettledGrant`), and its first process
   * is the first one of a PID namespace.
   */
  readonly keptMounts?: readonly string[];
  /**
   * What is launched runs its command in a PID namespace of its own, so that the command can do nothing to its
   * supervisor. That one is then used again for a later launch.
   */
  readonly ownPidNamespace?: boolean;
}

export type LaunchIo =
  | { readonly type: 'pty'; readonly rows: number; readonly cols: number }
  /** `closed` stdin is /dev/null. */
  | { readonly type: 'pipe'; readonly stdin: 'open' | 'closed' };

/** Only `fd` has to be open before; the launcher makes the others, and can then use a supervisor that waits already. */
export type InheritedFd =
  /** An open descriptor of this process. */
  | { readonly fd: number; readonly as: number }
  /** Bytes that the command reads as a sealed in-memory file. */
  | { readonly data: Uint8Array; readonly as: number }
  | GrantedPath
  /**
   * A pipe that the command writes to until it ends; what it has written then is `ExitStatus.report`. At most one. More
   * than 4 KiB are dropped, and more than a pipe holds makes the writer wait.
   */
  | { readonly report: true; readonly as: number }
  | SettledGrant
  | LaterBytes;

/** A pipe with one byte in it, which a sandbox closes when it has made its mounts: from there on the `keptMounts` are looked after. At most one. */
export interface SettledGrant {
  readonly settled: true;
  readonly as: number;
}

/**
 * Bytes that are still being made while the program is started already; `make` is called then. The program reads `gate` to its
 * end, where nothing ever comes, and finds the bytes in `as` after it: all of them, or none when the launcher's part has died. At most one.
 * Where `make` rejects, the program is ended, and the launch rejects with that error.
 */
export interface LaterBytes {
  readonly make: () => Promise<MadeLater>;
  readonly as: number;
  readonly gate: number;
}

export interface MadeLater {
  readonly bytes: Uint8Array;
  /** Where they were not known before; see `LaunchSpec`. */
  readonly keptMounts?: readonly string[];
}

/**
 * A handle (O_PATH) on exactly this path, absolute and without links: one that leads elsewhere when the command is
 * launched fails the launch (ESTALE, or the error of open).
 */
export interface GrantedPath {
  readonly path: string;
  readonly as: number;
  /** What was found there: anything else fails the launch too (ESTALE). */
  readonly identity?: FileIdentity;
}

/** As the system tells them: nothing else has the same as long as it exists. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Applied between fork and exec; one that the host cannot enforce in full fails the launch. */
export interface Restrictions {
  readonly noNewPrivileges?: boolean;
  /** A BPF program: an array of `struct sock_filter`. Needs `noNewPrivileges` unless privileged. */
  readonly seccompProgram?: Uint8Array;
  readonly landlock?: LandlockRules;
  readonly rlimits?: readonly ResourceLimit[];
}

export interface ResourceLimit {
  readonly resource: ResourceName;
  /** `Infinity` means unlimited. */
  readonly soft: number;
  readonly hard: number;
}

/** Linux numbers, the same on x64 and arm64. */
export const RESOURCE_NUMBERS = {
  cpu: 0,
  fsize: 1,
  data: 2,
  stack: 3,
  core: 4,
  nproc: 6,
  nofile: 7,
  memlock: 8,
  as: 9,
} as const;
export type ResourceName = keyof typeof RESOURCE_NUMBERS;

/**
 * Everything of a kind that is named here is refused unless a rule allows it; a kind that is left out is untouched.
 * A rule for a path that does not exist is skipped (it could only have allowed).
 */
export interface LandlockRules {
  readonly fs?: readonly { readonly path: string; readonly allow: readonly LandlockAccess[] }[];
  /** Connecting is refused to these ports and to no others, of whatever host. Needs ABI 4; beside `tcp` it has no meaning. */
  readonly refusedTcpPorts?: readonly number[];
  /** Needs ABI 4. */
  readonly tcp?: { readonly bind: readonly number[]; readonly connect: readonly number[] };
  /** Needs ABI 6: keeps from signalling and from abstract unix sockets outside. */
  readonly scope?: { readonly signals?: boolean; readonly abstractUnixSockets?: boolean };
  /** Refuse to run on a kernel whose Landlock knows less than this. Truncate is covered from 3, device ioctl from 5. */
  readonly minimumAbi?: number;
}

/**
 * `read` files and list directories; `list` directories alone; `execute` files; `write`: change, create, remove, rename, link;
 * `rename`: all of that but to change what is in a file.
 */
export type LandlockAccess = 'read' | 'list' | 'execute' | 'write' | 'rename';
