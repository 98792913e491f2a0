// The vocabulary of a sandbox policy: what a command may read and write, and whether it may use the network.
// Pure data; `resolve-policy.ts` turns it into absolute paths for one command.

/** `write` includes reading. Ordered by strength when two entries name the same path: read < write < deny. */
export type Access = 'read' | 'write' | 'deny';

export type PolicyPath =
  | { readonly type: 'path'; readonly path: string }
  /** Only with `deny`. `*` and `?` stay inside one component, `**` crosses them. */
  | { readonly type: 'glob'; readonly pattern: string }
  | { readonly type: 'root' }
  /** The system directories that programs need to run at all (`/usr`, `/bin`, `/lib`, `/etc` …). */
  | { readonly type: 'minimal' }
  /** Every workspace root of the command, or one path below each. */
  | { readonly type: 'workspaceRoots'; readonly subpath?: string }
  | { readonly type: 'tmpdir' }
  | { readonly type: 'slashTmp' };

export interface PolicyEntry {
  readonly path: PolicyPath;
  readonly access: Access;
  /**
   * What protects a path that does not exist. `cover` (the default) makes it impossible to create, at the price of a
   * directory that stands there meanwhile; `remove` deletes what was created there once the command has ended.
   */
  readonly whenMissing?: 'cover' | 'remove';
}

export type FileSystemPolicy =
  | {
      readonly type: 'restricted';
      readonly entries: readonly PolicyEntry[];
      /** How many directories deep deny globs are searched; unlimited when absent. */
      readonly globScanMaxDepth?: number;
    }
  | { readonly type: 'unrestricted' }
  /** An outer sandbox confines the files already; nothing is enforced here. */
  | { readonly type: 'external' };

/**
 * `restricted`: no sockets but local pairs. `loopback`: a private loopback interface of the sandbox, nothing
 * beyond it. `enabled`: the network of the host.
 */
export type NetworkPolicy = 'restricted' | 'loopback' | 'enabled';

/**
 * What `enabled` means for unix sockets. `none`: there are no such sockets, only pairs; nothing of the host is reached
 * that way. `host`: the command may use them, those of the host included, except known ones that hand out control, unless
 * the policy names these.
 */
export type UnixSocketPolicy = 'none' | 'host';

export interface SandboxPolicy {
  readonly fileSystem: FileSystemPolicy;
  readonly network: NetworkPolicy;
  /** Default `host`, which is what `enabled` means on the wire. The other networks have no unix sockets at all. */
  readonly unixSockets?: UnixSocketPolicy;
}

/** Facts about one command that a policy is resolved against. All of them come from the caller, none from the command. */
export interface PolicyContext {
  readonly cwd: string;
  readonly workspaceRoots: readonly string[];
  /** What `tmpdir` means. Never taken from the environment of the command: that would let it choose a writable root. */
  readonly tmpdir?: string;
  /** Names that stay read-only at the top of every writable directory. */
  readonly protectedNames?: readonly string[];
}
