// Finds the folder of the user's Codex configuration: CODEX_HOME, or `.codex` in the home directory.
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { ConfigError } from './config-error.js';

export interface CodexHomeOptions {
  readonly env: ServerEnvironment;
  readonly cwd: string;
}

export function userHome({ env }: CodexHomeOptions): string | undefined {
  const home = env['HOME'];
  const found = home === undefined || home === '' ? homedir() : home;
  return isAbsolute(found) ? found : undefined;
}

export async function codexHome(options: CodexHomeOptions): Promise<string> {
  const named = options.env['CODEX_HOME'];
  if (named === undefined || named === '') return join(userHome(options) ?? '/', '.codex');
  const path = resolve(options.cwd, named);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw homeMissing(named, 'does not exist');
  if (!found.isDirectory()) throw homeMissing(named, 'is not a directory');
  return realpath(path);
}

function homeMissing(named: string, what: string): ConfigError {
  return new ConfigError(
    'CONFIG_HOME_MISSING',
    `CODEX_HOME points to ${JSON.stringify(named)}, but that path ${what}`,
  );
}
