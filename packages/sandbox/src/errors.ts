// Every failure of this package carries one of these codes. A command that was denied something is not an error:
// see `find-denial.ts`.
import { CodedError } from '@codex/exec-protocol';

/**
 * `SANDBOX_UNAVAILABLE`: this host cannot enforce the policy. `SANDBOX_POLICY_INVALID`: the policy makes no sense or
 * says something unknown. `SANDBOX_POLICY_UNENFORCEABLE`: the policy is clear, but holds only by luck on these files.
 * `SANDBOX_PREPARE_FAILED`: the operating system refused a step of the preparation. `SANDBOX_START_FAILED`: the
 * sandbox itself ended before the command started.
 */
export type SandboxErrorCode =
  | 'SANDBOX_UNAVAILABLE'
  | 'SANDBOX_POLICY_INVALID'
  | 'SANDBOX_POLICY_UNENFORCEABLE'
  | 'SANDBOX_PREPARE_FAILED'
  | 'SANDBOX_START_FAILED';

export class SandboxError extends CodedError<SandboxErrorCode> {}
