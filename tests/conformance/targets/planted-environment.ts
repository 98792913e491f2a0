// Variables that a target's server runs with, so that checks know something about the environment commands inherit from.

export const PLANTED_ENVIRONMENT: Readonly<Record<string, string>> = {
  EXEC_CONFORMANCE_PLAIN: 'plain',
  EXEC_CONFORMANCE_OTHER: 'other',
  EXEC_CONFORMANCE_API_KEY: 'a-key',
  exec_conformance_secret: 'a-secret',
  EXEC_CONFORMANCE_TOKENS: 'tokens',
  NODE_REPL_AUTH_TOKEN: 'withheld',
  OPENAI_FEDERATION_RULE_ID: 'withheld',
};
