// @codex/exec-cli: the command line as a library, and the embeddable server behind `exec-server serve`.

export { type RunMainOptions, runMain } from './exec-server/run-main.js';
export { runProgram } from './program.js';
export type { ExecServerRuntimePaths } from './runtime-paths.js';
export {
  DEFAULT_LISTEN_URL,
  type ListenAddress,
  ListenUrlParseError,
  type ListenUrlParseErrorCode,
  parseListenUrl,
} from './settings/listen-url.js';
export {
  createStderrLogger,
  type LogFormat,
  type LogLevel,
  type StderrLoggerOptions,
} from './stderr-logger.js';
