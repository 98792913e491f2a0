// What a shell, and programs outside of its sandbox, begin with: the environment of this server without its own secrets.
import { isServerOnlyVariable } from '@codex/exec-server-core';

export function sessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const session: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isServerOnlyVariable(name) && !INTERCEPTION.has(name)) session[name] = value;
  }
  return session;
}

/** Of an outer interception: its shell and ours are not the same. */
const INTERCEPTION = new Set(['BASH_EXEC_WRAPPER', 'EXEC_WRAPPER', 'CODEX_ESCALATE_SOCKET', 'LD_PRELOAD']);
