// The types that callers build on, checked by the compiler: `tsc -p tsconfig.test.json` fails when one changes.

import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Capability,
  type Captured,
  type ConnectTarget,
  type ErrorCode,
  type ExecBackend,
  ExecServerClient,
  ExecServerError,
  type FsWatch,
  type Outcome,
  type ProcessRef,
  type RemoteProcess,
  type Result,
  type RunPromise,
  type StandardSchema,
  type Transfer,
  type TransferSummary,
  type YieldResult,
} from './index.js';

type Client = ExecServerClient;
type Fs = Client['fs'];

describe('the public surface', () => {
  it('connects to a URL, a command or a channel', () => {
    expectTypeOf(ExecServerClient.connect).returns.resolves.toEqualTypeOf<ExecServerClient>();
    expectTypeOf<string>().toExtend<ConnectTarget>();
    expectTypeOf<URL>().toExtend<ConnectTarget>();
    expectTypeOf<{ command: ['codex', 'exec-server'] }>().toExtend<ConnectTarget>();
    expectTypeOf<{ url: string }>().not.toExtend<ConnectTarget>();
    expectTypeOf<ExecServerClient>().toExtend<ExecBackend>();
    expectTypeOf<ExecServerClient>().toExtend<AsyncDisposable>();
  });

  it('runs to a result that is awaitable and spawns a handle that is not', () => {
    expectTypeOf<ReturnType<Client['run']>>().toEqualTypeOf<RunPromise>();
    expectTypeOf<Awaited<RunPromise>>().toEqualTypeOf<Result>();
    expectTypeOf<RunPromise>().toExtend<AsyncIterable<string>>();
    expectTypeOf<Awaited<ReturnType<Client['spawn']>>>().toEqualTypeOf<RemoteProcess>();
    expectTypeOf<RemoteProcess>().not.toExtend<PromiseLike<unknown>>();
    expectTypeOf<Parameters<Client['run']>[0]>().not.toExtend<readonly []>();
    expectTypeOf<{ a: 1 }>().not.toExtend<Parameters<Client['$']>[1]>();
  });

  it('tells outcomes apart by kind', () => {
    type Kinds = 'exited' | 'denied' | 'timedOut' | 'aborted' | 'terminated' | 'lost';
    expectTypeOf<Outcome['kind']>().toEqualTypeOf<Kinds>();
    expectTypeOf<Extract<Outcome, { kind: 'exited' }>['exitCode']>().toEqualTypeOf<number>();
    expectTypeOf<Extract<Outcome, { kind: 'lost' }>['exitCode']>().toEqualTypeOf<null>();
    expectTypeOf<Result['exitCode']>().toEqualTypeOf<number | null>();
    expectTypeOf<Result['output']>().toEqualTypeOf<Captured>();
  });

  it('gives a finished window its outcome and a running one none', () => {
    expectTypeOf<Extract<YieldResult, { state: 'finished' }>['outcome']>().toEqualTypeOf<Outcome>();
    expectTypeOf<Extract<YieldResult, { state: 'running' }>>().not.toHaveProperty('outcome');
    expectTypeOf<Awaited<ReturnType<RemoteProcess['interact']>>>().toEqualTypeOf<YieldResult>();
    expectTypeOf<ReturnType<RemoteProcess['detach']>>().toEqualTypeOf<ProcessRef>();
  });

  it('narrows the details of an error by its code', () => {
    const error: unknown = new ExecServerError('fs.notFound', 'gone', { details: { path: '/x' } });
    if (!ExecServerError.is(error, 'fs.notFound')) throw error;
    expectTypeOf(error.details).toEqualTypeOf<{ readonly path: string }>();
    expect(error.details.path).toBe('/x');
    expect(ExecServerError.is(error, 'unsupported')).toBe(false);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'fs.notFound',
      message: 'gone',
      details: { path: '/x' },
      retryable: false,
      admitted: false,
    });
    expectTypeOf<'transport.lost' | 'process.failed' | 'unsupported'>().toExtend<ErrorCode>();
    expectTypeOf<string>().not.toExtend<ErrorCode>();
    expectTypeOf<string>().not.toExtend<Capability>();
  });

  it('types parsed output by its schema', () => {
    type Version = { readonly version: string };
    expectTypeOf<ReturnType<RunPromise['json']>>().toEqualTypeOf<Promise<unknown>>();
    const typed = (run: RunPromise, schema: StandardSchema<Version>) => run.json(schema);
    expectTypeOf(typed).returns.resolves.toEqualTypeOf<Version>();
  });

  it('makes transfers awaitable and iterable', () => {
    expectTypeOf<ReturnType<Fs['write']>>().toEqualTypeOf<Transfer>();
    expectTypeOf<Awaited<ReturnType<Fs['upload']>>>().toEqualTypeOf<TransferSummary>();
    expectTypeOf<ReturnType<Fs['watch']>>().toEqualTypeOf<FsWatch>();
  });
});
