// What the broker reports of an exec that a shell wants to make, and what it is answered. Plain data.

export interface ExecRequest {
  /** Of the call (`CallOptions.callId`) whose shell, or a descendant of it, asks. */
  readonly callId: string;
  /** Counts up within the call. */
  readonly requestId: number;
  /** Who asks, in the process numbers of this server. The number alone may be reused, both together are not. */
  readonly process: ProcessIdentity;
  /** As it was given to `execve`: may be relative, never empty. */
  readonly file: string;
  /** With `argv[0]`, which may differ from `file` and is whatever the asking process likes. */
  readonly argv: readonly string[];
  readonly workdir: AskedFolder;
  /**
   * Of the asking process, without the names of the interception itself. Written by the sandboxed side: nothing in it may
   * reach an escalated program unless it is listed.
   */
  readonly environment: ReadonlyMap<string, string>;
  /**
   * The shell has not finished its start-up files. The asking side says so itself; so this may only lead to less than usual
   * (nothing is asked, nothing leaves the sandbox), never to more.
   */
  readonly isStartUp: boolean;
  /**
   * The arguments hold bytes that are no UTF-8; U+FFFD stands in their place here. It may be denied or run inside: the
   * broker turns `escalate` into `run`.
   */
  readonly isLossy: boolean;
  readonly program: AskedProgram;
}

export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat; empty when it was gone before it could be read. */
  readonly startTime: string;
}

/** The working directory of the asking process, by its own /proc entry and not by what it claims. */
export interface AskedFolder {
  readonly path: string;
  /**
   * The same directory (device and inode) stands at this path outside of the sandbox. Where it does not (a private /tmp), a
   * program outside could not run in it: the broker turns `escalate` into a denial that says so.
   */
  readonly isOnHost: boolean;
}

/**
 * What `file` is in the asking process's own view (its root, its working directory), opened once. The broker keeps it open until
 * the request is decided, and `escalate` executes exactly that.
 */
export type AskedProgram =
  | {
      readonly state: 'opened';
      /** The program first; then, when it begins with `#!`, its interpreter, and so on. Every one of them has to be trusted. */
      readonly files: readonly [OpenedFile, ...OpenedFile[]];
    }
  | { readonly state: 'unopened'; readonly reason: UnopenedReason };

/**
 * `proc`: the path leads through /proc (or /dev/fd, which does), whose meaning depends on who asks.
 * `depth`: more links or interpreters than the kernel follows. Such a program can run inside or be denied, not escalated.
 */
export type UnopenedReason = 'missing' | 'denied' | 'proc' | 'depth' | 'not-a-file' | 'process-gone';

export interface OpenedFile {
  /** Absolute, without links, `.` and `..`, in the asking process's view. */
  readonly realPath: string;
  /** For an interpreter, as the `#!` line names it; for the program, `ExecRequest.file`. */
  readonly givenPath: string;
  /** Every folder and link that was passed on the way, in order, from `/` on, and the file itself as the last. */
  readonly steps: readonly PathStep[];
}

export interface PathStep {
  /** Absolute; its own folder is free of links. */
  readonly path: string;
  readonly kind: 'folder' | 'link' | 'file';
  readonly device: bigint;
  readonly inode: bigint;
  /** It is a name of the file itself, and not of a folder on the way: the file, or a link that stands for it. */
  readonly isName: boolean;
  /** Outside of the sandbox, exactly this (device and inode, the link itself for a link) stands at the same path. */
  readonly isOnHost: boolean;
}

export type ExecDecision =
  /** The asking process executes it itself, inside the sandbox. */
  | { readonly action: 'run' }
  /** `Execution denied: REASON` on the shell's stderr, exit code 1. */
  | { readonly action: 'deny'; readonly reason: string }
  /**
   * The opened program runs outside, with the arguments that were judged, the descriptors, folder, umask, limits and ignored
   * signals of the asking process, and this environment and no other.
   */
  | {
      readonly action: 'escalate';
      readonly environment: Readonly<Record<string, string>>;
      /**
       * A script is told the name that it was called by, not where it lies. Only where no link on the way to it can be changed: the
       * kernel looks that name up again.
       */
      readonly isAsCalled?: boolean;
    };

/** What happens beside questions. For the audit log and for tests. */
export type ExecEvent =
  /** Answered with `run` by the broker alone, because no rule names such a program. */
  | {
      readonly type: 'ran-unasked';
      readonly requestId: number;
      readonly process: ProcessIdentity;
      readonly file: string;
      readonly argv: readonly string[];
      readonly workdir: string;
      readonly isStartUp: boolean;
    }
  /**
   * An escalated program has ended. `exitCode` is what the shell got: 128 + n for a signal, 126 when it could not be started
   * (`error` says why).
   */
  | {
      readonly type: 'exited';
      readonly requestId: number;
      readonly exitCode: number;
      readonly error?: string;
    }
  /** The asking process is gone; its question is void, or what ran for it has been ended. */
  | { readonly type: 'abandoned'; readonly requestId: number }
  /** Connections of the sandboxed side that never became a request: too many, too slow, too large, not understood. */
  | { readonly type: 'refused'; readonly reason: RefusalReason };

export type RefusalReason = 'too-many' | 'too-slow' | 'too-large' | 'malformed' | 'stranger';
