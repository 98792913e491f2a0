import { describe, expect, it } from 'vitest';
import { CodedError } from './coded-error.js';
import * as errors from './errors.js';

describe('errors that cross the wire', () => {
  it.each<[errors.RpcError, number, string]>([
    [errors.methodNotFound('x/y'), -32601, 'exec-server stub does not implement `x/y` yet'],
    [errors.notInitialized('exec'), -32600, 'client must call initialize before using exec methods'],
    [
      errors.notAcknowledged('filesystem'),
      -32600,
      'client must send initialized before using filesystem methods',
    ],
    [errors.alreadyInitialized(), -32600, 'initialize may only be sent once per connection'],
    [errors.unknownSession('s'), -32600, 'unknown session id s'],
    [errors.sessionAlreadyAttached('s'), -32010, 'session s is already attached to another connection'],
    [errors.unknownProcess('p'), -32600, 'unknown process id p'],
    [errors.processExists('p'), -32600, 'process p already exists'],
    [errors.invalidFileBase64('r'), -32600, 'fs/writeFile requires valid base64 dataBase64: r'],
    [
      errors.foreignCwd('file:///C:/x', "'file:///C:/x' is invalid on 'linux'"),
      -32602,
      "cwd URI `file:///C:/x` is not valid on this exec-server host: 'file:///C:/x' is invalid on 'linux'",
    ],
  ])('%s', (error, code, message) => {
    expect(error).toBeInstanceOf(errors.RpcError);
    expect({ code: error.code, message: error.message }).toEqual({ code, message });
    expect('data' in error).toBe(false);
  });
});

describe('errors that stay local', () => {
  it('carry a code, details and a cause, and the name of their class', () => {
    class ExampleError extends CodedError<'EXAMPLE'> {}
    const cause = new TypeError('why');
    const error = new ExampleError('EXAMPLE', 'what', { details: { path: '/f' }, cause });
    expect(error).toMatchObject({ code: 'EXAMPLE', message: 'what', details: { path: '/f' }, cause });
    expect(error.name).toBe('ExampleError');
    expect(Object.keys(error)).not.toContain('name');
    expect('cause' in new CodedError('EXAMPLE', 'what')).toBe(false);
  });
});
