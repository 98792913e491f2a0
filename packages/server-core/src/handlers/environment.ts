// `environment/*`: what this host is, and that it is ready.
import type { EnvironmentInfo } from '@codex/exec-protocol';
import type { Handlers } from './handler-table.js';

export function environmentHandlers(info: EnvironmentInfo): Handlers {
  return {
    'environment/info': () => info,
    'environment/status': () => ({ status: 'ready' }),
  };
}
