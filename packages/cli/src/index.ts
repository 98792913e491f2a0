// @codex/exec-cli: the command line as a library, and the embeddable server behind `exec-server serve`.
export {
  DEFAULT_LISTEN_URL,
  type ListenAddress,
  ListenUrlParseError,
  type ListenUrlParseErrorCode,
  parseListenUrl,
} from './exec-server/listen-url.js';
export { type RunMainOptions, runMain } from './exec-server/run-main.js';
export type { ExecServerRuntimePaths } from './exec-server/runtime-paths.js';
export { runProgram } from './program.js';
export {
  createStderrLogger,
  type LogFormat,
  type LogLevel,
  type StderrLoggerOptions,
} from './stderr-logger.js';
