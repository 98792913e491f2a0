// What an application is asked before a command runs, and what it may answer.

import type { SandboxDenial } from '@codex/exec-client';

export type ApprovalPolicy =
  /** The user is not asked; what would need an approval is refused. */
  | 'never'
  /** Asked when the model wants out of the sandbox. */
  | 'on-request'
  /** Asked before every command that no rule allows. */
  | 'untrusted'
  /** As `on-request`, and asked after a denial; each kind of question may be switched off. */
  | { readonly granular: { readonly sandboxApproval: boolean; readonly rules: boolean } };

export interface ApprovalRequest {
  /**
   * `policy`: before the first attempt. `retryWithoutSandbox`: the sandbox denied it. `input`: it runs outside the sandbox
   * already, and the model wants to type into it.
   */
  readonly reason: 'policy' | 'retryWithoutSandbox' | 'input';
  readonly callId: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  /** Where a yes lets it run: in its sandbox, out of it, or as the server does because there is no sandbox. */
  readonly runs: 'inside' | 'outside' | 'unconfined';
  /** The model wants the command to run outside the sandbox. */
  readonly escalated: boolean;
  /** With `input`: what would be typed, and the session. A yes is for this once. */
  readonly input?: { readonly sessionId: number; readonly chars: string };
  /** Why, in the model's words. They are no facts. */
  readonly justification?: string;
  /** What the model proposes to allow from now on. */
  readonly prefixRule?: readonly string[];
  /** A line of the command's output that shows what was denied. The command wrote it: show it, do not trust it. */
  readonly evidence?: string;
  readonly denial?: SandboxDenial;
  /** Aborts when no call waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type ApprovalDecision =
  | { readonly allow: true; readonly remember?: 'session' }
  /** The model is told `message`. */
  | { readonly allow: false; readonly message?: string };

export type Approve = (request: ApprovalRequest) => Promise<ApprovalDecision> | ApprovalDecision;

/** What rules say about a command line; undefined where none matches. */
export interface RuleVerdict {
  readonly decision: 'allow' | 'prompt' | 'forbidden';
  /** The model is told this when the command is refused. */
  readonly justification?: string;
}

export type Rules = (argv: readonly string[]) => RuleVerdict | undefined | Promise<RuleVerdict | undefined>;

/** Whether the user may be asked to let a command out of its sandbox. */
export function asksForSandbox(policy: ApprovalPolicy): boolean {
  return typeof policy === 'object' ? policy.granular.sandboxApproval : policy !== 'never';
}

/** Whether a denial is followed by a question within the same call. */
export function retriesDenials(policy: ApprovalPolicy): boolean {
  return typeof policy === 'object' ? policy.granular.sandboxApproval : policy === 'untrusted';
}

/** As Codex names it to a model. */
export function policyName(policy: ApprovalPolicy): string {
  if (typeof policy === 'object') return 'Granular';
  return { never: 'Never', 'on-request': 'OnRequest', untrusted: 'UnlessTrusted' }[policy];
}
