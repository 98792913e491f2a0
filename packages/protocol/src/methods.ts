// Every method of the protocol, and what its descriptor (schema/method-descriptors.ts) says of it.
import { METHODS } from './generated/method-table.js';
import type { WireMethods } from './generated/wire-types.js';

export { METHODS } from './generated/method-table.js';

export type Method = keyof typeof METHODS;

type MethodsWhere<Wanted> = {
  [M in Method]: (typeof METHODS)[M] extends Wanted ? M : never;
}[Method];

export type ClientRequestMethod = MethodsWhere<{ kind: 'request'; direction: 'clientToServer' }>;
export type ClientNotificationMethod = MethodsWhere<{ kind: 'notification'; direction: 'clientToServer' }>;
export type ServerNotificationMethod = MethodsWhere<{ kind: 'notification'; direction: 'serverToClient' }>;

export type ParamsOf<M extends Method> = WireMethods[M]['params'];
export type ResultOf<M extends ClientRequestMethod> = WireMethods[M]['result'];

/** The flags of the methods that not every server has. */
export type MethodCapability = Extract<(typeof METHODS)[Method], { capability: string }>['capability'];

/** Own keys only: `__proto__` and `constructor` are not methods. */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

export function isClientRequest(name: string): name is ClientRequestMethod {
  return isMethod(name) && METHODS[name].kind === 'request';
}
