// Requests whose response comes in one piece.
import { describe, expect, it } from 'vitest';
import { base64, serve, setUp, text } from './support/http-fixture.js';

describe('http/request', () => {
  it('sends method, headers, a variable of the environment and the body, and answers with what came back', async () => {
    const caller = await setUp({ env: { TOKEN: 'secret' } });
    const seen: unknown[] = [];
    const { origin } = await serve((request, response, body) => {
      seen.push(request.method, request.url, request.headers['authorization'], request.headers['x-a'], body);
      response.writeHead(201, [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ]);
      response.end('made');
    });
    const reply = await caller.request(`${origin}/p?q=%C3%A9#fragment`, {
      method: 'POST',
      headers: [
        { name: 'Authorization', value: 'Bearer ', valueEnvVar: 'TOKEN' },
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ],
      bodyBase64: base64('body'),
    });
    expect(seen).toEqual(['POST', '/p?q=%C3%A9', 'Bearer secret', '1, 2', 'body']);
    expect(reply.status).toBe(201);
    expect(text(reply.bodyBase64)).toBe('made');
    expect(reply.headers.filter(({ name }) => name === 'set-cookie').map(({ value }) => value)).toEqual([
      'a=1',
      'b=2',
    ]);
  });

  it('gives a compressed body as it came', async () => {
    const caller = await setUp();
    const { origin } = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(Buffer.from([31, 139, 8]));
    });
    expect((await caller.request(origin)).bodyBase64).toBe('H4sI');
  });

  it('sends the credentials of a URL as a header', async () => {
    const caller = await setUp();
    const { origin } = await serve((request, response) => response.end(request.headers.authorization));
    const reply = await caller.request(`${origin.replace('http://', 'http://us%40er:pa%20ss@')}/`);
    expect(text(reply.bodyBase64)).toBe(`Basic ${base64('us@er:pa ss')}`);
  });

  it.each([
    ['nowhere', 'http/request url is invalid: relative URL without a base'],
    ['http://127.0.0.1:99999/', 'http/request url is invalid: '],
    ['ftp://h/', 'http/request only supports http and https URLs, got ftp'],
    ['file:///etc/passwd', 'http/request only supports http and https URLs, got file'],
  ])('refuses %s', async (url, message) => {
    const caller = await setUp();
    const refusal = await caller.refusal(url);
    expect(refusal.code).toBe(-32602);
    expect(refusal.message).toContain(message);
  });

  it.each([
    [{ method: 'GE T' }, 'http/request method is invalid: invalid HTTP method'],
    [{ method: 'connect' }, 'http/request method is invalid: CONNECT is not supported'],
    [{ bodyBase64: 'a' }, 'Invalid input length: 1'],
    [{ redirectPolicy: 'maybe' }, 'unknown variant `maybe`, expected `follow` or `stop`'],
    [{ headers: [{ name: 'a b', value: '' }] }, 'http/request header name is invalid'],
    [
      { headers: [{ name: 'a', value: '', valueEnvVar: 'CODEX_API_KEY' }] },
      'cannot use executor environment',
    ],
  ])('refuses %j', async (more, message) => {
    const caller = await setUp({ env: { CODEX_API_KEY: 'k' } });
    const refusal = await caller.refusal('http://127.0.0.1:1/', more);
    expect(refusal.code).toBe(-32602);
    expect(refusal.message).toContain(message);
  });

  it('says why a request failed, without its URL', async () => {
    const caller = await setUp();
    const refusal = await caller.refusal('http://127.0.0.1:1/?token=secret');
    expect(refusal).toEqual({
      code: -32603,
      message: 'http/request failed: connect ECONNREFUSED 127.0.0.1:1',
    });
  });

  it('reports a body that breaks off', async () => {
    const caller = await setUp();
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('abc', () => response.destroy());
    });
    expect(await caller.refusal(origin)).toEqual({
      code: -32603,
      message: 'failed to read http/request response body: the connection ended before the body did',
    });
  });

  it('limits the time of the whole exchange', async () => {
    const caller = await setUp();
    const { origin } = await serve((request, response) => {
      if (request.url === '/body') response.write('first');
    });
    expect(await caller.refusal(`${origin}/head`, { timeoutMs: 30 })).toEqual({
      code: -32603,
      message: 'http/request failed: timed out after 30 ms',
    });
    expect(await caller.refusal(`${origin}/body`, { timeoutMs: 60 })).toEqual({
      code: -32603,
      message: 'failed to read http/request response body: timed out after 60 ms',
    });
    expect((await caller.refusal(`${origin}/head`, { timeoutMs: 0 })).message).toContain('timed out');
  });

  it('refuses a body that no reply can carry', async () => {
    const caller = await setUp({ http: { maxHttpBodyBytes: 1000 } });
    const { origin } = await serve((_, response) => response.end(Buffer.alloc(1001)));
    expect(await caller.refusal(origin)).toEqual({
      code: -32603,
      message: 'failed to read http/request response body: it is larger than 1000 bytes: set streamResponse',
    });
  });

  it('bounds what the bodies of one connection hold together, and gives the room back', async () => {
    const caller = await setUp({ http: { maxHttpBufferedBytesPerConnection: 1500 } });
    const { origin } = await serve((_, response) => response.end(Buffer.alloc(1000)));
    for (let round = 0; round < 3; round++) expect((await caller.request(origin)).status).toBe(200);
  });

  it('bounds the requests of one connection', async () => {
    const caller = await setUp({ http: { maxHttpRequestsPerConnection: 2 } });
    const { origin } = await serve(() => undefined);
    const pending = [caller.request(origin, { timeoutMs: 200 }), caller.request(origin, { timeoutMs: 200 })];
    expect(await caller.refusal(origin)).toEqual({
      code: -32600,
      message: 'at most 2 http requests may be active per connection',
    });
    expect((await Promise.allSettled(pending)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await caller.refusal(origin, { timeoutMs: 1 })).code).toBe(-32603);
  });

  it('survives a kept connection that the other side has closed', async () => {
    const caller = await setUp();
    const { origin, server } = await serve((_, response) => response.end('ok'));
    server.keepAliveTimeout = 1;
    for (let round = 0; round < 5; round++) {
      expect((await caller.request(origin)).status).toBe(200);
      server.closeIdleConnections();
    }
  });
});
