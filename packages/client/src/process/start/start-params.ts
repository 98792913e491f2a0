// Builds the `process/start` request from a command and its options, in the form every server understands.

import type { DirectStartParams, EnvironmentInfo, EnvPolicy } from '@codex/exec-protocol';
import type { Capabilities } from '../../capabilities.js';
import { invalidArgument } from '../../exec-server-error.js';
import { remotePath, toFileUri } from '../../remote-path.js';
import { wireSandbox } from '../../sandbox-option.js';
import type { SpawnOptions } from '../../spawn-options.js';
import type { StdinMode } from '../control/process-stdin.js';
import { DEFAULT_ENV_EXCLUDES } from './secret-variables.js';

export interface StartContext {
  readonly info: EnvironmentInfo;
  readonly capabilities: Capabilities;
}

export function startParams(
  argv: readonly string[],
  options: SpawnOptions,
  { info, capabilities }: StartContext,
): DirectStartParams {
  const { cwd = '.', tty, metadata, sandbox, arg0 } = options;
  if (typeof tty === 'object') capabilities.require('pty.size', 'A terminal of a chosen size');
  return {
    processId: options.id ?? crypto.randomUUID(),
    argv,
    cwd: toFileUri(remotePath(cwd, info)),
    env: environmentOverlay(options),
    envPolicy: environmentPolicy(options),
    tty: tty !== undefined && tty !== false,
    ...(typeof tty === 'object' ? { rows: tty.rows, cols: tty.cols } : {}),
    pipeStdin: stdinMode(options) === 'pipe',
    arg0: arg0 ?? null,
    ...(metadata === undefined ? {} : { metadata }),
    ...(sandbox === undefined ? {} : { sandbox: wireSandbox(sandbox, { info, cwd }) }),
  };
}

export function stdinMode({ tty, stdin = 'none' }: SpawnOptions): StdinMode {
  if (tty !== undefined && tty !== false) return 'tty';
  return stdin === 'none' ? 'none' : 'pipe';
}

function environmentOverlay({ env = {}, tty }: SpawnOptions): Record<string, string> {
  const overlay: Record<string, string> =
    tty === undefined || tty === false ? {} : { TERM: 'xterm-256color' };
  for (const [name, value] of Object.entries(env)) if (value !== undefined) overlay[name] = value;
  return overlay;
}

function environmentPolicy({ env = {}, inheritEnv = 'all' }: SpawnOptions): EnvPolicy {
  const given: Partial<EnvPolicy> = typeof inheritEnv === 'string' ? { inherit: inheritEnv } : inheritEnv;
  const secrets = given.ignoreDefaultExcludes === true ? [] : DEFAULT_ENV_EXCLUDES;
  const removed = Object.keys(env).filter((name) => env[name] === undefined);
  for (const name of removed) {
    if (/[*?]/.test(name)) throw invalidArgument('env', `${name} cannot be the name of a variable`);
  }
  return {
    inherit: given.inherit ?? 'all',
    ignoreDefaultExcludes: given.ignoreDefaultExcludes ?? false,
    exclude: [...secrets, ...(given.exclude ?? []), ...removed],
    set: given.set ?? {},
    includeOnly: given.includeOnly ?? [],
  };
}
