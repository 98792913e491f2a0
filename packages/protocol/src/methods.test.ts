import type { Static, TSchema } from '@sinclair/typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { WireMethods } from './generated/wire-types.js';
import { METHOD_CAPABILITIES, PAYLOAD_MEMBERS, RESULT_PAYLOADS } from './method-lists.js';
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
import { METHOD_DESCRIPTORS, type MethodDescriptor } from './schema/method-descriptors.js';

describe('the method table', () => {
  it('lists exactly the methods that have schemas', () => {
    expect(Object.keys(METHODS).sort()).toEqual(Object.keys(METHOD_DESCRIPTORS).sort());
  });

  it('calls a request what has a result', () => {
    for (const [method, descriptor] of Object.entries(METHOD_DESCRIPTORS)) {
      if (!isMethod(method)) throw new TypeError(method);
      expect(METHODS[method].kind, method).toBe('result' in descriptor ? 'request' : 'notification');
    }
  });

  it('says of each what its descriptor says', () => {
    for (const [method, descriptor] of Object.entries<MethodDescriptor>(METHOD_DESCRIPTORS)) {
      const { direction, family, payload, capability } = descriptor;
      expect(METHODS[method as keyof typeof METHODS], method).toMatchObject({
        direction,
        family,
        ...(payload === undefined ? {} : { payload }),
        ...(capability === undefined ? {} : { capability }),
      });
    }
  });

  it('says what each asks for, and marks what changes something', () => {
    for (const [method, descriptor] of Object.entries<MethodDescriptor>(METHOD_DESCRIPTORS)) {
      const info: { kind: string; grant?: string; changes?: boolean } =
        METHODS[method as keyof typeof METHODS];
      const isSent = descriptor.direction === 'clientToServer';
      expect([method, info.grant, info.changes]).toEqual([
        method,
        isSent ? (descriptor.grant ?? 'own') : undefined,
        descriptor.changes,
      ]);
      if (info.changes === true) expect(['own', 'stop', 'type', 'approve'], method).toContain(info.grant);
    }
  });

  it('gives the members that hold payloads, and the flags of what not every server has', () => {
    expect(PAYLOAD_MEMBERS).toEqual(
      new Map([
        ['process/write', 'chunk'],
        ['process/output', 'chunk'],
        ['fs/writeFile', 'dataBase64'],
        ['fs/writeBlock', 'chunk'],
        ['fs/writeTree', 'dataBase64'],
        ['http/request', 'bodyBase64'],
        ['http/request/bodyDelta', 'deltaBase64'],
        ['observe/output', 'chunk'],
      ]),
    );
    expect(RESULT_PAYLOADS).toEqual(
      new Map([
        ['process/read', ['chunks[].chunk']],
        ['process/snapshot', ['stdout', 'stderr', 'terminal']],
        ['fs/readFile', ['dataBase64']],
        ['fs/readBlock', ['chunk']],
        ['fs/readTree', ['dataBase64']],
        ['http/request', ['bodyBase64']],
        ['observe/read', ['chunks[].chunk']],
        ['observe/readFile', ['chunk']],
      ]),
    );
    expect(METHOD_CAPABILITIES).toContain('processResize');
    expect(new Set(METHOD_CAPABILITIES).size).toBe(METHOD_CAPABILITIES.length);
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
    expectTypeOf<ClientNotificationMethod>().toEqualTypeOf<'initialized' | 'observe/ack'>();
    expectTypeOf<'process/output'>().toExtend<ServerNotificationMethod>();
    expectTypeOf<'process/output'>().not.toExtend<ClientRequestMethod>();
    expectTypeOf<ParamsOf<'environment/info'>>().toEqualTypeOf<null>();
    expectTypeOf<ResultOf<'process/terminate'>['running']>().toEqualTypeOf<boolean>();
  });

  it('say what the schemas say', () => {
    type Schemas = typeof METHOD_DESCRIPTORS;
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
