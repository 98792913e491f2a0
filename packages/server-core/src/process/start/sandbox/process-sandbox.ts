// What the process slice asks of a sandbox: turn a launch into a sandboxed one, and judge how it ended.
import type { SandboxDenial, SandboxStop } from '@codex/exec-protocol';
import type { LaunchSpec, SignalScope } from '@codex/launcher';

export type SandboxType = 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken';

export interface SandboxVerdict {
  /** The sandbox is the likely reason for this end. */
  readonly denied: boolean;
  /** What says so. */
  readonly denial?: SandboxDenial;
  /** The sandbox itself failed, so that the command never ran. */
  readonly failure?: string;
  /** The command was ended because its sandbox does not hold any more. */
  readonly stopped?: SandboxStop;
  /** For people, below the output of the command. */
  readonly notice?: string;
}

/** Only asked for an exit code other than 0, or with a `lostMount`. */
export type JudgeExit = (exit: {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** What is known of the output at this time, over all streams. */
  readonly output: () => Uint8Array;
  /** What the launched program itself reported, where its launch asked for that. */
  readonly report?: Uint8Array;
  /** See `ExitStatus` of the launcher. */
  readonly lostMount?: string;
}) => SandboxVerdict | Promise<SandboxVerdict>;

export interface SandboxedLaunch {
  readonly spec: LaunchSpec;
  readonly sandboxType: SandboxType;
  readonly judgeExit?: JudgeExit;
  /** Whom signals reach; a sandbox that wraps the command names what lies below the wrapper. */
  readonly signalScope?: SignalScope;
  /** Called when the command has been launched. */
  readonly started?: (process: { readonly pid: number }) => void;
  /** Called once when nothing of the process is left, or when it could not be started. Never rejects. */
  readonly finish?: () => void | Promise<void>;
  /** Until `finish` has settled, something stands on the host that the client did not ask for. */
  readonly restoresHost?: boolean;
  /** It is planned while it is launched: where that fails, after `finish`, it is prepared anew and not ahead. */
  readonly isAhead?: boolean;
}

export interface SandboxedCommand {
  readonly spec: LaunchSpec;
  readonly sandbox: unknown;
  /** Whoever launches it prepares it once more when it `isAhead` and fails. */
  readonly ahead?: boolean;
}

export interface ProcessSandbox {
  /** Rejects with an RpcError where the policy cannot be enforced: a sandboxed command never runs without one. */
  prepare(input: SandboxedCommand): Promise<SandboxedLaunch>;
  /** Judges commands whose caller built the sandbox itself and says which kind it is. */
  judgeForeign(sandboxType: SandboxType): JudgeExit;
  /** Nothing will be started any more. */
  close?(): void;
}
