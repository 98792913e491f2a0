// @codex/exec-server-core: the exec-server over any channel.

export type { HelperCommand } from '@codex/exec-files';
export { DEFAULT_FS_LIMITS, type FsLimits, nodeHelper } from '@codex/exec-files';
export type { Clock, Timer } from '@codex/exec-protocol';
export type { ExecServerConfig, ExecServerOptions } from './config.js';
export { loadDeferredModules } from './deferred-modules.js';
export { ExecServer } from './exec-server.js';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http/http-limits.js';
export { type LogFields, type Logger, silentLogger } from './logger.js';
export { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './process/process-limits.js';
export { DEFAULT_SESSION_LIMITS, type SessionLimits } from './session/session-limits.js';
export { VERSION } from './version.js';
