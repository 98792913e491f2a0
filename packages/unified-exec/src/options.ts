// The options of `UnifiedExec`.

import type { SandboxOption } from '@codex/exec-client';
import type { ApprovalPolicy, Approve, Rules } from './approval/approval.js';
import type { InheritEnv } from './execution/approved-attempts.js';
import type { Limits } from './limits.js';
import type { CommandPolicy } from './rules/rules-from-policy.js';
import type { SessionInfo } from './sessions/session.js';
import type { Tokenizer } from './text/token-count.js';
import type { OutputPolicy } from './text/truncate-middle.js';

export interface UnifiedExecOptions {
  /** `codex`: results read exactly as those of the Codex CLI. Otherwise its limits with changes, and notes for the model. */
  readonly profile?: 'codex' | Partial<Limits>;
  /** Where commands run, and the workspace of `sandbox`. Default: the server's own. */
  readonly cwd?: string;
  /** What `readOnly()` and `workspaceWrite()` of `@codex/sandbox` return, or the wire's form. Default: none. */
  readonly sandbox?: SandboxOption;
  /** Default: `on-request` with `approve`, `never` without. */
  readonly approvalPolicy?: ApprovalPolicy;
  readonly approve?: Approve;
  /** Decides on command lines before the policy does: a function, or a `Policy` of `@codex/execpolicy`. */
  readonly rules?: Rules | CommandPolicy;
  /** Default: four bytes are a token. */
  readonly tokenizer?: Tokenizer;
  /** The most that a model is shown of one result. Default: 10000 tokens. */
  readonly policy?: OutputPolicy;
  /** On top of the variables that every command gets. */
  readonly childEnv?: Readonly<Record<string, string>>;
  /** What commands inherit of the server's environment. Default: all without secrets, as the client does it. */
  readonly inheritEnv?: InheritEnv;
  /** Whether commands may run in a login shell, which is then the default. Default true. */
  readonly allowLogin?: boolean;
  /** The one name that a model may give as `environment_id`. Default `default`. */
  readonly environmentId?: string;
  /** Offers `apply_patch` as a tool of its own, besides what `exec_command` understands. Default false. */
  readonly applyPatchTool?: boolean;
  /** A command that runs longer is stopped: interrupted, then killed with everything it started. Default: never. */
  readonly timeoutMs?: number;
  /** Called when a session is ended to make room for another. */
  readonly onSessionEvicted?: (session: SessionInfo) => void;
}

export interface CallContext {
  /** The model's id of the call; in all events that it causes. Default: a UUID. */
  readonly callId?: string | undefined;
  /** Ends the call, not the session. */
  readonly signal?: AbortSignal | undefined;
}
