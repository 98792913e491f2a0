// The interface of the broker: the part outside of the sandbox that shells ask.
import type { LaunchSpec } from '@codex/launcher';
import type { ExecDecision, ExecEvent, ExecRequest } from './exec-request.js';

/** One for a server's connection, or for the server: calls share nothing in it but the door their brokers come through. */
export interface EscalationBroker {
  openCall(options: CallOptions): EscalationCall;
  /** Ends all calls. Afterwards no process, descriptor or file of any of them is left. */
  close(): Promise<void>;
}

export interface CallOptions {
  readonly callId: string;
  readonly askedPrograms: AskedPrograms;
  /**
   * Called for each exec that `askedPrograms` does not let pass. `signal` aborts when the asking process, or the call, is gone: a
   * decision after that is ignored, and runs nothing. One that throws is a denial.
   */
  readonly onRequest: (request: ExecRequest, signal: AbortSignal) => Promise<ExecDecision>;
  readonly onEvent?: (event: ExecEvent) => void;
}

/**
 * Which execs are asked about: those whose file, as given, without links or by a link that stood for it, whole or its last part, is
 * one of these. All others are answered `run` at once.
 */
export type AskedPrograms =
  | 'all'
  | {
      readonly names: ReadonlySet<string>;
      /** Compared without regard to case, as far as ASCII goes; with one in here, names beyond ASCII are always asked about. */
      readonly foldedNames?: ReadonlySet<string>;
    };

export interface EscalationCall {
  readonly callId: string;
  /** What the shell has to find in its environment, besides what its `ShellChoice` asks for. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Puts the broker in front of a command line that starts the shell (bubblewrap's, or the shell's own). To be launched once, by
   * a native launcher and without `restrict.landlock` and `restrict.seccompProgram`, which would bind the broker as well. The
   * process that is launched becomes the command, the broker leaves it; both, and everything that is escalated, are one tree:
   * `killTree` ends all of it, and so does the death of this server.
   */
  wrap(spec: LaunchSpec): LaunchSpec;
  /**
   * Settles when the broker is gone: `ended` when no process can ask any more (everything that held the shell's socket has ended),
   * or `end` was called; `lost` when something killed it. A command line that failed before its broker was there (it was not
   * launched, or is gone with its tree and nothing was asked) settles nothing: call `end` when the tree is gone. After `lost` every exec of the shell fails, so kill the tree.
   */
  readonly closed: Promise<'ended' | 'lost'>;
  /** No question is answered any more, what was escalated is ended. Returns when the broker knows; the shell is the launcher's. */
  end(): void;
}
