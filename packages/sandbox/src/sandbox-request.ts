// The request to prepare a sandbox and the prepared result, the same on every platform.
import type { InheritedFd, Restrictions } from '@codex/launcher';
import type { PolicyContext, SandboxPolicy } from './policy/policy-model.js';
import type { ResolvedPolicy } from './policy/resolve-policy.js';

/**
 * Forms of enforcement that are weaker than the policy says and are used only for a caller that names them:
 * `host-proc`: /proc of the host is visible where there cannot be a fresh one; under Landlock alone there never is.
 * The others are about hosts where only Landlock is available.
 * `unprotected-metadata`: `.git` and the other protected names are writable.
 * `host-signals`: the command can signal processes of its user (kernels before 6.12).
 * `root-capabilities`: a command of root keeps its capabilities.
 * `host-attributes`: the command can change mode, owner, times and extended attributes of every file of its user.
 * `hidden-attributes`: the command can ask for the attributes of files that it may not read, and be told of names beside them.
 * `host-sockets`: with the network enabled, the command can use the unix sockets of the host, docker's and the like too.
 */
export type WeakerForm =
  | 'host-proc'
  | 'unprotected-metadata'
  | 'host-signals'
  | 'root-capabilities'
  | 'host-attributes'
  | 'hidden-attributes'
  | 'host-sockets';

export interface SandboxRequest {
  /** The command, not empty. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** What the command sees as its own name. */
  readonly arg0?: string;
  /** One that `resolvePolicy` returned is taken as it is. */
  readonly policy: SandboxPolicy | ResolvedPolicy;
  /** What a policy that is not resolved refers to. Workspace roots default to `cwd` alone. */
  readonly context?: Partial<Omit<PolicyContext, 'cwd'>> & { readonly cwd?: string };
  /** The command runs on a terminal and needs job control and Ctrl-C. */
  readonly terminal?: boolean;
  /** That terminal was made for it: nobody but the command is on it. */
  readonly ownTerminal?: boolean;
  /** Its output goes to a terminal, whether or not it runs on one. The programs in the foreground there are not told anything by it. */
  readonly outputIsTerminal?: boolean;
  /** End the command when the process that starts it ends. Default true; a supervisor that does it itself says false. */
  readonly dieWithParent?: boolean;
  /** Denied whatever the policy says: secrets of the program that embeds this library, such as a token file. */
  readonly alwaysDeny?: readonly string[];
  /**
   * Existing files and folders in which the command can change nothing, whatever the policy says: the program that embeds this
   * library. Where the policy restricts no files, they are as open as all others.
   */
  readonly ownFolders?: readonly string[];
  /**
   * TCP ports that the command cannot connect to although its policy enables the network, on whatever host: those of a broker
   * that the embedding program uses. Needs Landlock with TCP (Linux 6.7) and the launcher, and costs some 30 ms; where the
   * kernel cannot, there is a warning.
   */
  readonly refusedPorts?: readonly number[];
  /**
   * Files that the command can read and not change, whatever the policy says: programs of the caller that run outside of this
   * sandbox. Where the policy restricts no files, they are as open as all others.
   */
  readonly keepFiles?: readonly string[];
  /** Files that are others inside, read-only: `by` is what the command finds at `path`. Needs bubblewrap. */
  readonly replaceFiles?: readonly ReplacedFile[];
  /** What to do about a denied file that has a second hard link. Default `refuse`. */
  readonly hardLinks?: 'refuse' | 'warn';
  readonly accept?: readonly WeakerForm[];
  /**
   * The command is started with the launcher, which can start a wrapper before its options are there (`LaterBytes`). What is prepared
   * may then be `isAhead`. Default false.
   */
  readonly startsAhead?: boolean;
  /**
   * The command needs nothing of /dev but `null`. It gets no more under a policy that does not let it read everything and names nothing
   * in /dev: each device is two mounts. Linux with bubblewrap only. Default false.
   */
  readonly nullDeviceOnly?: boolean;
}

export interface ReplacedFile {
  /** An existing file, absolute and without links. */
  readonly path: string;
  readonly by: string;
}

export type SandboxType = 'none' | 'linuxSeccomp' | 'macosSeatbelt';

export interface FinishedSandbox {
  /** False: the sandbox failed before the command ran. Its output then is about the sandbox, not about the command. */
  readonly commandStarted: boolean;
  /**
   * Settles when the host is as it was, with what happened against the policy and had to be put right, one sentence each.
   * Never rejects.
   */
  readonly cleanup: Promise<readonly string[]>;
}

/** A command wrapped in its sandbox. Start it exactly as given, then call `started`, and `finish` when it is gone. */
export interface PreparedSandbox {
  readonly type: SandboxType;
  readonly argv: readonly string[];
  readonly arg0?: string;
  readonly cwd: string;
  /** The environment of the wrapper, not of the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly inheritFds: readonly InheritedFd[];
  readonly restrict?: Restrictions;
  /**
   * What protects names of the host, by its place in the sandbox. Somebody outside who removes a covered file, or renames another one to its
   * name, takes the cover away: the launcher ends the command then. Not known yet of what `isAhead`.
   */
  readonly keptMounts: readonly string[];
  /** The command can neither see nor reach a process outside. */
  readonly ownPidNamespace: boolean;
  /** Something stands on the host for it until `finish`: a directory where a protected name is missing. */
  readonly changesHost: boolean;
  readonly warnings: readonly string[];
  /**
   * The sandbox is planned while its wrapper starts: `changesHost` and `warnings` are complete when it is launched, and what refuses a
   * sandbox fails the launch. Whatever has failed, prepare it once more without `startsAhead` after `finish`: that decides.
   */
  readonly isAhead?: boolean;
  /** Says what runs now. Not called when it could not be started. */
  started(wrapper: StartedWrapper): void;
  /** The pid of the command itself, seen from here; undefined before it runs and after it ended. */
  commandPid(): number | undefined;
  /**
   * Whether the command was executed, asked when the wrapper has ended. False: the sandbox failed before; its output then
   * is about the sandbox, not about the command.
   */
  commandStarted(exit: WrapperExit): boolean;
  /**
   * Cleans up: to be called when nothing of the command is left, background children included, or when it could not be
   * started. Later calls answer the same.
   */
  finish(exit?: WrapperExit): FinishedSandbox;
}

export interface StartedWrapper {
  readonly pid: number;
  /**
   * What the wrapper has written to its `report` descriptor, where that does not come with its exit. Closed by `finish`.
   */
  readonly report?: { read(): string; close(): void };
}

/** How the wrapper ended: tells a sandbox that failed from one that was killed. */
export interface WrapperExit {
  readonly code: number | null;
  /** What it wrote to its `report` descriptor; the launcher's exit status has it. */
  readonly report?: Uint8Array;
}
