// The handlers of `environment/*`.
import type { EnvironmentInfo } from '@codex/exec-protocol';
import type { Handlers } from './handler-table.js';

export function environmentHandlers(describe: () => Promise<EnvironmentInfo>): Handlers {
  return {
    'environment/info': describe,
    'environment/status': () => ({ status: 'ready' }),
  };
}
