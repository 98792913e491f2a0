// @codex/exec-server-core/defaults: what a program needs to know of the server before it loads it.
export { DEFAULT_FS_LIMITS, type FsLimits } from '@codex/exec-files/limits';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http/http-limits.js';
export { type LogFields, type Logger, silentLogger } from './logger.js';
export { DEFAULT_OBSERVE_LIMITS, type ObserveLimits } from './observe/observe-limits.js';
export { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './process/process-limits.js';
export { DEFAULT_SESSION_LIMITS, type SessionLimits } from './session/session-limits.js';
export { SPOKEN_VERSION, VERSION } from './version.js';
