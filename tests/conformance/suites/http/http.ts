// The http family.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import { base64 } from '../process/process-fixture.js';
import { serve, text, untilDone } from './http-fixture.js';

const get = (url: string, more: object = {}) => ({ method: 'GET', url, requestId: 'r', ...more });

verifies('http.request.exchange', async (t) => {
  const origin = await serve(t, (request, response, body) => {
    response.writeHead(201, {
      'X-Seen': `${request.method} ${request.url} ${String(request.headers['x-a'])}`,
    });
    response.end(body.toUpperCase());
  });
  const headers = [{ name: 'X-A', value: 'one' }];
  const params = get(`${origin}/p?q#f`, { method: 'POST', headers, bodyBase64: base64('body') });
  const reply = await (await t.open()).call('http/request', params);
  assert.equal(reply['status'], 201);
  assert.equal(text(reply['bodyBase64']), 'BODY');
  const seen = (reply['headers'] as { name: string; value: string }[]).find(({ name }) => name === 'x-seen');
  assert.equal(seen?.value, 'POST /p?q one');
});

verifies('http.request.redirect-followed', async (t) => {
  const origin = await serve(t, (request, response, body) => {
    if (request.url === '/from') response.writeHead(303, { location: '/to' }).end();
    else response.end(`${request.method} ${request.url} [${body}]`);
  });
  const params = get(`${origin}/from`, { method: 'POST', bodyBase64: base64('body') });
  const reply = await (await t.open()).call('http/request', params);
  assert.equal(text(reply['bodyBase64']), 'GET /to []');
});

verifies('http.request.redirect-stopped', async (t) => {
  const origin = await serve(t, (_, response) => response.writeHead(302, { location: '/to' }).end('moved'));
  const reply = await (await t.open()).call('http/request', get(origin, { redirectPolicy: 'stop' }));
  assert.deepEqual([reply['status'], text(reply['bodyBase64'])], [302, 'moved']);
});

verifies('http.request.redirect-secrets', async (t) => {
  const other = await serve(t, (request, response) => response.end(JSON.stringify(request.rawHeaders)));
  const origin = await serve(t, (_, response) => response.writeHead(307, { location: other }).end());
  const headers = [
    { name: 'authorization', value: 'secret' },
    { name: 'x-plain', value: 'kept' },
  ];
  const reply = await (await t.open()).call('http/request', get(origin, { headers }));
  assert.match(text(reply['bodyBase64']), /kept/);
  assert.doesNotMatch(text(reply['bodyBase64']), /secret/);
});

verifies('http.request.bad-params', async (t) => {
  const connection = await t.open();
  const cases: [object, RegExp][] = [
    [{ method: 'GE T' }, /^http\/request method is invalid: /],
    [{ url: 'nowhere' }, /^http\/request url is invalid: /],
    [{ url: 'ftp://host/' }, /^http\/request only supports http and https URLs, got ftp$/],
    [{ headers: [{ name: 'a b', value: '' }] }, /^http\/request header name is invalid: /],
    [{ headers: [{ name: 'a', value: '\n' }] }, /^http\/request header value is invalid for a: /],
    [{ bodyBase64: 'a' }, /./],
    [{ redirectPolicy: 'maybe' }, /unknown variant `maybe`/],
  ];
  for (const [more, message] of cases) {
    const refusal = await connection.refusal('http/request', get('http://127.0.0.1:1/', more));
    assert.equal(refusal.code, -32602, JSON.stringify(more));
    assert.match(refusal.message, message);
  }
});

verifies('http.request.failed', async (t) => {
  const origin = await serve(t, () => undefined);
  const connection = await t.open();
  for (const params of [get('http://127.0.0.1:1/'), get(origin, { timeoutMs: 50 })]) {
    const refusal = await connection.refusal('http/request', params);
    assert.equal(refusal.code, -32603);
    assert.match(refusal.message, /^http\/request failed: /);
  }
});

verifies('http.request.body-failed', async (t) => {
  const origin = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('abc', () => setTimeout(() => response.destroy(), 20));
  });
  const refusal = await (await t.open()).refusal('http/request', get(origin));
  assert.equal(refusal.code, -32603);
  assert.match(refusal.message, /^failed to read http\/request response body: /);
});

verifies('http.request.header-variable', async (t) => {
  const origin = await serve(t, (request, response) => response.end(request.headers['x-v']));
  const connection = await t.open();
  const withVariable = (valueEnvVar: string) =>
    get(origin, { headers: [{ name: 'x-v', value: 'v:', valueEnvVar }] });
  const reply = await connection.call('http/request', withVariable('EXEC_CONFORMANCE_PLAIN'));
  assert.equal(text(reply['bodyBase64']), 'v:plain');
  const cases: [string, RegExp][] = [
    ['EXEC_CONFORMANCE_ABSENT', /^http\/request header x-v requires executor environment variable /],
    ['openai_federation_rule_id', /^http\/request header x-v cannot use executor environment variable /],
    ['OPENAI_API_KEY', /^http\/request header x-v cannot use executor environment variable /],
  ];
  for (const [variable, message] of cases) {
    const refusal = await connection.refusal('http/request', withVariable(variable));
    assert.equal(refusal.code, -32602);
    assert.match(refusal.message, message);
  }
});

verifies('http.stream.deltas', async (t) => {
  const body = 'x'.repeat(3_000_000);
  const origin = await serve(t, (_, response) => response.end(body));
  const connection = await t.open();
  const reply = await connection.call('http/request', get(origin, { streamResponse: true }));
  assert.deepEqual([reply['status'], reply['bodyBase64']], [200, '']);
  const deltas = await untilDone(connection, 'r');
  assert.deepEqual(
    deltas.map(({ seq }) => seq),
    deltas.map((_, index) => index + 1),
  );
  const pieces = deltas.map(({ deltaBase64 }) => text(deltaBase64));
  assert.ok(pieces.every((piece) => piece.length <= 1_048_576));
  assert.equal(pieces.join(''), body);
  assert.deepEqual([pieces.at(-1), deltas.at(-1)?.error ?? null], ['', null]);
});

verifies('http.stream.error', async (t) => {
  const origin = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('abc', () => setTimeout(() => response.destroy(), 20));
  });
  const connection = await t.open();
  await connection.call('http/request', get(origin, { streamResponse: true }));
  const last = (await untilDone(connection, 'r')).at(-1);
  assert.equal(last?.deltaBase64, '');
  assert.match(String(last.error ?? ''), /./);
});

verifies('http.stream.id-active', async (t) => {
  let finish: () => void = () => undefined;
  const origin = await serve(t, (_, response) => {
    response.write('x');
    finish = () => response.end();
  });
  const connection = await t.open();
  const params = get(origin, { streamResponse: true });
  await connection.call('http/request', params);
  const refusal = await connection.refusal('http/request', params);
  assert.deepEqual(
    [refusal.code, refusal.message],
    [-32602, 'http/request streamResponse requestId `r` is already active'],
  );
  finish();
  await untilDone(connection, 'r');
  assert.equal((await connection.call('http/request', params))['status'], 200);
});
