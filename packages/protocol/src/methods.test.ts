import type { Static, TSchema } from '@sinclair/typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { WireMethods } from './generated/wire-types.js';
import {
  type ClientNotificationMethod,
  type ClientRequestMethod,
  isClientRequest,
  isMethod,
  METHODS,
  type ParamsOf,
  type ResultOf,
  type ServerNotificationMethod,
} from './methods.js';
import { METHOD_SCHEMAS } from './schema/method-schemas.js';

describe('the method table', () => {
  it('lists exactly the methods that have schemas', () => {
    expect(Object.keys(METHODS).sort()).toEqual(Object.keys(METHOD_SCHEMAS).sort());
  });

  it('calls a request what has a result', () => {
    for (const [method, schemas] of Object.entries(METHOD_SCHEMAS)) {
      if (!isMethod(method)) throw new TypeError(method);
      expect(METHODS[method].kind, method).toBe('result' in schemas ? 'request' : 'notification');
    }
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(METHODS)).toBe(true);
    for (const info of Object.values(METHODS)) expect(Object.isFrozen(info)).toBe(true);
  });

  it('knows own keys only', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'process/nope'])
      expect(isMethod(name)).toBe(false);
    expect(isClientRequest('process/start')).toBe(true);
    expect(isClientRequest('process/output')).toBe(false);
    expect(isClientRequest('initialized')).toBe(false);
  });
});

type StaticOf<S> = S extends TSchema ? Static<S> : never;
type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T;

describe('the generated types', () => {
  it('sort methods by kind and direction', () => {
    expectTypeOf<ClientNotificationMethod>().toEqualTypeOf<'initialized'>();
    expectTypeOf<'process/output'>().toExtend<ServerNotificationMethod>();
    expectTypeOf<'process/output'>().not.toExtend<ClientRequestMethod>();
    expectTypeOf<ParamsOf<'environment/info'>>().toEqualTypeOf<null>();
    expectTypeOf<ResultOf<'process/terminate'>['running']>().toEqualTypeOf<boolean>();
  });

  it('say what the schemas say', () => {
    type Schemas = typeof METHOD_SCHEMAS;
    type Requests = ClientRequestMethod;
    type FromSchemas = { [M in Requests]: StaticOf<Schemas[M]['result']> };
    type Generated = { [M in Requests]: Writable<WireMethods[M]['result']> };
    expectTypeOf<FromSchemas>().toExtend<Generated>();
    expectTypeOf<Generated>().toExtend<FromSchemas>();
    expectTypeOf<Writable<ParamsOf<'process/start'>>>().toExtend<
      StaticOf<Schemas['process/start']['params']>
    >();
    expectTypeOf<StaticOf<Schemas['process/start']['params']>>().toExtend<
      Writable<ParamsOf<'process/start'>>
    >();
  });
});
