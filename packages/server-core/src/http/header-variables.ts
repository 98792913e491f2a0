// Which variables of the server's environment a request header may carry. The names below hold credentials of the
// server, of Codex or of a cloud: a caller that may use variables must not be able to send these anywhere.
// It does not stop a command of the same user from reading them, nor a secret that stands in another variable.
import { isServerOnlyVariable } from '../process/start/environment/server-only-variables.js';

const CREDENTIALS = new Set([
  'AWS_ACCESS_KEY_ID',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AZURE_CLIENT_SECRET',
  'CODEX_ACCESS_TOKEN',
  'CODEX_API_KEY',
  'CODEX_CONNECTORS_TOKEN',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'OPENAI_API_KEY',
]);

export function mayStandInHeader(variable: string): boolean {
  return !isServerOnlyVariable(variable) && !CREDENTIALS.has(variable.toUpperCase());
}
