// @codex/exec-server as a library: what it takes to run the server from another program.
export {
  DEFAULT_LISTEN_URL,
  type ExecServerRuntimePaths,
  type ListenAddress,
  ListenUrlParseError,
  parseListenUrl,
  type RunMainOptions,
  runMain,
} from '@codex/exec-cli';
