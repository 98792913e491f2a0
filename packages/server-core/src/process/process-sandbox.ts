// What the process slice asks of a sandbox: turn a launch into a sandboxed one, and judge how it ended.
import type { LaunchSpec, SignalScope } from '@codex/launcher';

export type SandboxType = 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken';

export interface ObservedExit {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** What is known of the output at this time, over all streams. */
  readonly output: () => Uint8Array;
}

/** Whether the sandbox is the likely reason for this end. Only asked for an exit code other than 0. */
export type ClassifyExit = (exit: ObservedExit) => boolean | Promise<boolean>;

export interface SandboxedLaunch {
  readonly spec: LaunchSpec;
  readonly sandboxType: SandboxType;
  readonly classifyExit?: ClassifyExit;
  /** Whom signals reach; a sandbox that wraps the command names what lies below the wrapper. */
  readonly signalScope?: SignalScope;
  /** Called once when nothing of the process is left, or when it could not be started. */
  readonly dispose?: () => void;
}

export interface ProcessSandbox {
  /** Rejects with an RpcError where the policy cannot be enforced: a sandboxed command never runs without one. */
  prepare(input: { readonly spec: LaunchSpec; readonly sandbox: unknown }): Promise<SandboxedLaunch>;
}
