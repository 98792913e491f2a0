// A client that starts a sandboxed process soon reads and writes files under the same policy: the helper for them is
// started behind the reply, so that the first file request finds it warm.

import type { FileSystems } from '@codex/exec-files';
import type { Handlers } from './handler-table.js';

export function warmOnStart(handlers: Handlers, files: FileSystems): Handlers {
  const start = handlers['process/start'];
  if (start === undefined) return handlers;
  return {
    ...handlers,
    'process/start': (params, context) => {
      const { sandbox } = params as { readonly sandbox?: unknown };
      if (sandbox !== null && sandbox !== undefined) {
        const { session } = context;
        context.afterReply(() => files.warm(session, sandbox));
      }
      return start(params, context);
    },
  };
}
