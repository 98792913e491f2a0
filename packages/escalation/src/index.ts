// @codex/escalation: every exec of a shell is judged; some are carried out outside of its sandbox.
export { type AuditLog, type AuditLogOptions, NO_AUDIT_LOG, openAuditLog } from './audit/audit-log.js';
export type { AuditRecord, ExecRecord } from './audit/audit-record.js';

export type { BrokerLimits } from './broker/call.js';
export type {
  AskedPrograms,
  CallOptions,
  EscalationBroker,
  EscalationCall,
} from './broker/escalation-broker.js';
export type {
  AskedFolder,
  AskedProgram,
  ExecDecision,
  ExecEvent,
  ExecRequest,
  OpenedFile,
  PathStep,
  ProcessIdentity,
  RefusalReason,
  UnopenedReason,
} from './broker/exec-request.js';
export { type EscalationPrograms, locatePrograms } from './broker/locate-programs.js';
export { type BrokerOptions, startBroker } from './broker/start-broker.js';
export type { Answer, Ask } from './decide/questions.js';
export { type AdmittedNames, admittedNames } from './environment/admitted-names.js';
export { EscalationError, type EscalationErrorCode } from './escalation-error.js';
export { RuleFiles, type RuleFilesOptions } from './rules/rule-files.js';
export type { CallSandbox, ShellCall, ShellResult } from './run/shell-call.js';
export { ShellRuns, type ShellRunsOptions } from './run/shell-runs.js';
export {
  type ChooseShellOptions,
  chooseShell,
  type ShellChoice,
  shellCommandLine,
} from './shells/choose-shell.js';
export { patchedBashPath } from './shells/patched-bash.js';
