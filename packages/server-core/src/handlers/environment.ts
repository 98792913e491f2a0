// The handlers of `environment/*`, except for `environment/info`, which the connection answers.
import type { Handlers } from './handler-table.js';

export const environmentHandlers: Handlers = {
  'environment/status': () => ({ status: 'ready' }),
};
