// Modules that get files of their own in the split program. esbuild puts together what the same entries reach; what is named here
// is read when something of it is used (commonjs-chunks.ts), and not with its neighbours.
import { join } from 'node:path';

/** How the entries are called that are there for nothing else. */
const PREFIX = 'apart-';

const MODULES = [
  // Wanted where nothing else of their neighbours is.
  'files/src/local/calls/mount-table',
  'launcher/src/process-table',
  'listener/src/gate/loopback',
  'protocol/src/errors/coded-error',
  'protocol/src/node-version',
  'protocol/src/web-socket-protocols',
  'rpc/src/rpc-limits',
  'rpc/src/ws/keepalive',
  // Not wanted by a server that only listens, or only has clients.
  'files/src/local/transfer/read-tree',
  'files/src/local/transfer/write-tree',
  'files/src/local/tree/walk',
  'launcher/src/portable/portable-launcher',
  'listener/src/admission',
  'listener/src/page-listener',
  'protocol/src/errors/explain-failure',
  'protocol/src/generated/params-validators',
  'protocol/src/generated/process-validators',
  'protocol/src/text/asciicast',
  'protocol/src/text/find-secrets',
  'protocol/src/tree/exclude-patterns',
  'sandbox/src/diagnose/diagnose-policies',
  'sandbox/src/linux/landlock/prepare-landlock',
  'sandbox/src/macos/prepare-seatbelt',
  'sandbox/src/run/run-in-foreground',
  'sandbox/src/run/run-sandboxed',
  'server-core/src/observe/audit/audit-log',
  'server-core/src/observe/explain/explain-sandbox',
  'server-core/src/observe/observation',
  'server-core/src/observe/record/recording',
  'server-core/src/process/start/shell-snapshot/capture-shell',
] as const;

export function apartEntries(packages: string): Record<string, string> {
  return Object.fromEntries(
    MODULES.map((module) => [PREFIX + module.replaceAll('/', '-'), join(packages, sourceOf(module))]),
  );
}

/** Nobody loads these entries; what they hold is in chunks beside them. */
export const isApartEntry = (file: string): boolean => file.startsWith(PREFIX);

const sourceOf = (module: string): string => `${module}.${module.includes('/generated/') ? 'js' : 'ts'}`;
