// @codex/exec-server-core: the exec-server over any channel.

export type { HelperCommand } from '@codex/exec-files';
export { DEFAULT_FS_LIMITS, type FsLimits, nodeHelper } from '@codex/exec-files';
export type { Clock, Timer } from '@codex/exec-protocol';
export type { ExecServerConfig, ExecServerOptions } from './config.js';
export { loadDeferredModules } from './deferred-modules.js';
export { type AcceptOptions, ExecServer } from './exec-server.js';
export type { TicketIssuer } from './handlers/console.js';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http/http-limits.js';
export { Journal } from './journal/journal.js';
export { type LogFields, type Logger, silentLogger } from './logger.js';
export { type Admitted, ALL_GRANTS, type MayObserve } from './observe/access.js';
export { AuditLog, type AuditLogOptions } from './observe/audit/audit-log.js';
export { ServerMetrics } from './observe/metrics/server-metrics.js';
export { DEFAULT_OBSERVE_LIMITS, type ObserveLimits } from './observe/observe-limits.js';
export { Recorder, type RecorderOptions } from './observe/record/recorder.js';
export type { OpenTelemetryApi } from './observe/spans/request-spans.js';
export { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './process/process-limits.js';
export { isServerOnlyVariable } from './process/start/environment/server-only-variables.js';
export { DEFAULT_SESSION_LIMITS, type SessionLimits } from './session/session-limits.js';
export type { SessionHooks } from './session/session-registry.js';
export { VERSION } from './version.js';
