// Every method of the protocol: which way it goes, which family it names in handshake errors, and whether it
// changes something (a process, a file) or only looks.
import type { WireMethods } from './generated/wire-types.js';

export interface MethodInfo {
  readonly kind: 'request' | 'notification';
  readonly direction: 'clientToServer' | 'serverToClient';
  /** As in "client must call initialize before using <family> methods". */
  readonly family: MethodFamily;
  readonly changes: boolean;
}

export type MethodFamily =
  | 'session'
  | 'exec'
  | 'filesystem'
  | 'http'
  | 'environment info'
  | 'environment status'
  | 'environment config'
  | 'capability discovery';

const looks = <const Family extends MethodFamily>(family: Family) =>
  Object.freeze({ kind: 'request', direction: 'clientToServer', family, changes: false } as const);

const changes = <const Family extends MethodFamily>(family: Family) =>
  Object.freeze({ kind: 'request', direction: 'clientToServer', family, changes: true } as const);

const event = <const Family extends MethodFamily>(family: Family) =>
  Object.freeze({ kind: 'notification', direction: 'serverToClient', family, changes: false } as const);

export const METHODS = Object.freeze({
  initialize: changes('session'),
  initialized: Object.freeze({
    kind: 'notification',
    direction: 'clientToServer',
    family: 'session',
    changes: true,
  } as const),
  'environment/info': looks('environment info'),
  'environment/status': looks('environment status'),
  'environmentConfig/read': looks('environment config'),
  'process/start': changes('exec'),
  'process/read': looks('exec'),
  'process/write': changes('exec'),
  'process/closeStdin': changes('exec'),
  'process/resize': changes('exec'),
  'process/signal': changes('exec'),
  'process/terminate': changes('exec'),
  'process/wait': looks('exec'),
  'process/snapshot': looks('exec'),
  'process/list': looks('exec'),
  'process/output': event('exec'),
  'process/exited': event('exec'),
  'process/closed': event('exec'),
  'process/started': event('exec'),
  'process/failed': event('exec'),
  'fs/readFile': looks('filesystem'),
  'fs/writeFile': changes('filesystem'),
  'fs/open': changes('filesystem'),
  'fs/readBlock': looks('filesystem'),
  'fs/writeBlock': changes('filesystem'),
  'fs/close': changes('filesystem'),
  'fs/createDirectory': changes('filesystem'),
  'fs/getMetadata': looks('filesystem'),
  'fs/canonicalize': looks('filesystem'),
  'fs/readDirectory': looks('filesystem'),
  'fs/walk': looks('filesystem'),
  'fs/remove': changes('filesystem'),
  'fs/copy': changes('filesystem'),
  'fs/rename': changes('filesystem'),
  'fs/watch': changes('filesystem'),
  'fs/unwatch': changes('filesystem'),
  'fs/changed': event('filesystem'),
  'fs/watchMissing': changes('filesystem'),
  'fs/missingChanged': event('filesystem'),
  'capabilityRoots/discoverV1': looks('capability discovery'),
  'capabilities/discoverV2': looks('capability discovery'),
  'http/request': changes('http'),
  'http/request/bodyDelta': event('http'),
} satisfies { readonly [M in keyof WireMethods]: MethodInfo });

export type Method = keyof typeof METHODS;

type MethodsWhere<Wanted> = {
  [M in Method]: (typeof METHODS)[M] extends Wanted ? M : never;
}[Method];

export type ClientRequestMethod = MethodsWhere<{ kind: 'request'; direction: 'clientToServer' }>;
export type ClientNotificationMethod = MethodsWhere<{ kind: 'notification'; direction: 'clientToServer' }>;
export type ServerNotificationMethod = MethodsWhere<{ kind: 'notification'; direction: 'serverToClient' }>;

export type ParamsOf<M extends Method> = WireMethods[M]['params'];
export type ResultOf<M extends ClientRequestMethod> = WireMethods[M]['result'];

/** Own keys only: `__proto__` and `constructor` are not methods. */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

export function isClientRequest(name: string): name is ClientRequestMethod {
  return isMethod(name) && METHODS[name].kind === 'request';
}
