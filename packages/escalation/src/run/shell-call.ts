// What one call of the shell asks for, and what it is answered.
import type { DenialEvidence, SandboxPolicy } from '@codex/sandbox';
import type { Ask } from '../decide/questions.js';

export interface ShellCall {
  /** For the shell's `-c`. */
  readonly command: string;
  /** Absolute. */
  readonly workdir: string;
  /** A login shell reads its start-up files first. */
  readonly login: boolean;
  /** TERM, and KILL a second later, when this much time has passed; time in which a person is asked does not count. */
  readonly timeoutMs: number;
  readonly sandbox: CallSandbox;
  /** Undefined when no person can be asked. */
  readonly ask: Ask | undefined;
  /** Why no person can be asked. */
  readonly nobody?: string;
  /** Output as it comes. The bytes are good until it returns. */
  readonly onOutput?: (bytes: Uint8Array) => void;
  /** Ends the call and everything it has started; there is no result then. */
  readonly signal: AbortSignal;
}

export interface CallSandbox {
  readonly policy: SandboxPolicy;
  /** What the policy means by its own working directory. */
  readonly cwd: string;
  readonly workspaceRoots: readonly string[];
}

export interface ShellResult {
  /** 128 + n after a signal n; 124 after a timeout. */
  readonly exitCode: number;
  /** Both streams, in the order they came. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** Of `output`. The streams alone may have lost less. */
  readonly omittedBytes: number;
  /** The command probably failed because of the sandbox. */
  readonly denial: DenialEvidence | undefined;
  /** What its user should know about it, one sentence each. */
  readonly notes: readonly string[];
}

export const TIMEOUT_EXIT = 124;
