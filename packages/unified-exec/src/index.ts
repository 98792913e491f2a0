// @codex/unified-exec: the tools exec_command and write_stdin for any model, on an exec-server.

export type {
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalRequest,
  Approve,
  Rules,
  RuleVerdict,
} from './approval/approval.js';
export type { ApplyPatchArgs, ExecCommandArgs, WriteStdinArgs } from './arguments/tool-arguments.js';
export type { PatchedFile, UnifiedExecEvent } from './events/unified-exec-event.js';
export type { Limits } from './limits.js';
export type { CallContext, UnifiedExecOptions } from './options.js';
export type { CommandPolicy } from './rules/rules-from-policy.js';
export type { SessionInfo } from './sessions/session.js';
export type { Tokenizer } from './text/token-count.js';
export type { OutputPolicy } from './text/truncate-middle.js';
export type { UnifiedExecErrorCode } from './tool-error.js';
export type { DenialAction, ToolOutput } from './tool-output.js';
export type {
  AnthropicTool,
  McpToolDefinition,
  OpenAiTool,
  ToolDialects,
  ToolSchema,
} from './tools/tool-definitions.js';
export { type Pause, UnifiedExec } from './unified-exec.js';
