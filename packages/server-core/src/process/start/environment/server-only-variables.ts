// Variables that carry the server's own secrets or switches and never reach a child, however they were asked for.
// It does not stop a command of the same user from reading the server's memory or /proc/<pid>/environ: only a sandbox does.

const EXACT = new Set(['CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE']);

const ANY_CASE = new Set([
  'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
  'NODE_REPL_AUTH_TOKEN',
  'OPENAI_FEDERATION_RULE_ID',
  'OPENAI_IDENTITY_TOKEN_FILE',
  'OPENAI_WORKLOAD_IDENTITY_CONTEXT',
  'CODEX_EXEC_SERVER_TOKEN',
  'CODEX_EXEC_SERVER_TOKEN_FILE',
  'CODEX_EXEC_SERVER_SHARED_SECRET',
  'CODEX_EXEC_SERVER_SHARED_SECRET_FILE',
  'CODEX_EXEC_SERVER_TLS_KEY',
  // Where the broker of a fleet is, and what proves to it who this machine is.
  'EXEC_SERVER_FLEET',
  'EXEC_SERVER_CREDENTIALS',
  'NATS_URL',
  'NATS_CREDS',
]);

export function isServerOnlyVariable(name: string): boolean {
  return EXACT.has(name) || ANY_CASE.has(name.toUpperCase());
}
