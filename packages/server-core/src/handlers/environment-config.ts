// The handler of `environmentConfig/read`.

import { displayPath, parsePathArgument } from '@codex/exec-files';
import { internalError, invalidParams, type ParamsOf } from '@codex/exec-protocol';
import { ConfigError } from '../environment-config/config-error.js';
import type { ConfigHost } from '../environment-config/read-environment-config.js';
import { FILE_ORDER } from '../files/connection-files.js';
import type { Handlers, RequestContext } from './handler-table.js';

export function environmentConfigHandlers(host: ConfigHost): Handlers {
  const handleConfigRead = (params: ParamsOf<'environmentConfig/read'>, context: RequestContext) => {
    const { configPaths, requirementsPaths } = params;
    checkPaths([...configPaths, ...requirementsPaths]);
    const cwd = displayPath(parsePathArgument(params.cwd).native);
    return context.connection.slice(FILE_ORDER).read(async () => {
      const { readEnvironmentConfig } = await import('../environment-config/read-environment-config.js');
      return readEnvironmentConfig(host, { cwd, configPaths, requirementsPaths }).catch(rethrow);
    });
  };
  return { 'environmentConfig/read': handleConfigRead };
}

function checkPaths(paths: readonly (readonly string[])[]): void {
  if (paths.length === 0) throw invalidParams('at least one config or requirements path is required');
  if (paths.some((path) => path.length === 0)) {
    throw invalidParams('TOML paths must contain at least one key segment');
  }
}

function rethrow(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  const what = error.code === 'CONFIG_HOME_MISSING' ? 'find Codex home' : 'load executor-local config';
  throw internalError(`failed to ${what}: ${error.message}`);
}
