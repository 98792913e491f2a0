// The console that the flags of a server ask for.

import { dirname, join } from 'node:path';
import type { Grant } from '@codex/exec-protocol';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import type { AuthMode } from '../settings/auth-flags.js';
import type { ConsoleOptions } from './console-service.js';

interface ConsoleFlags {
  readonly console?: boolean;
  readonly consoleMaxGrants?: readonly Grant[];
  readonly wsAuth?: AuthMode;
}

export function consoleFromFlags(
  { console, consoleMaxGrants, wsAuth }: ConsoleFlags,
  { consoleFolder, codexExecutable }: ExecServerRuntimePaths,
): { readonly console?: ConsoleOptions } {
  if (console !== true) return {};
  const holder = firstHolder(wsAuth);
  return {
    console: {
      folder: consoleFolder ?? join(dirname(codexExecutable), 'console'),
      ...(consoleMaxGrants === undefined ? {} : { maxGrants: consoleMaxGrants }),
      ...(holder === undefined ? {} : { firstHolder: holder }),
    },
  };
}

/** Who started the server, as the door would know them. With signed tokens there is no telling who that is. */
function firstHolder(wsAuth: AuthMode | undefined): ConsoleOptions['firstHolder'] {
  if (wsAuth === 'signed-bearer-token') return undefined;
  if (wsAuth === 'capability-token') return { identity: 'token', seesOthers: true };
  const uid = process.platform === 'linux' ? process.getuid?.() : undefined;
  return uid === undefined
    ? { identity: 'local', seesOthers: false }
    : { identity: `local:${uid}`, seesOthers: uid === 0 };
}
