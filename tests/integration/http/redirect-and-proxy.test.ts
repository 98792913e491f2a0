// Where a request ends up: redirects, and proxies that the environment names.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { base64, listen, serve, setUp, text } from './support/http-fixture.js';

describe('redirects', () => {
  it('are followed, or stopped at', async () => {
    const caller = await setUp();
    const { origin } = await serve((request, response, body) => {
      if (request.url === '/from') response.writeHead(302, { location: '/to' }).end('moved');
      else response.end(`${request.method} ${request.url} ${body}`);
    });
    const post = { method: 'POST', bodyBase64: base64('body') };
    expect(text((await caller.request(`${origin}/from`, post)).bodyBase64)).toBe('GET /to ');
    const stopped = await caller.request(`${origin}/from`, { redirectPolicy: 'stop' });
    expect([stopped.status, text(stopped.bodyBase64)]).toEqual([302, 'moved']);
  });

  it('end after ten', async () => {
    const caller = await setUp();
    let count = 0;
    const { origin } = await serve((_, response) => {
      count++;
      response.writeHead(302, { location: '/again' }).end();
    });
    expect(await caller.refusal(origin)).toEqual({
      code: -32603,
      message: 'http/request failed: too many redirects',
    });
    expect(count).toBe(11);
  });

  it('do not carry a variable of the environment to another server', async () => {
    const caller = await setUp({ env: { TOKEN: 'secret' } });
    const other = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)));
    const { origin } = await serve((_, response) =>
      response.writeHead(307, { location: `${other.origin}/` }).end(),
    );
    const headers = [{ name: 'x-key', value: '', valueEnvVar: 'TOKEN' }];
    const seen = text((await caller.request(origin, { headers })).bodyBase64);
    expect(seen).toContain('referer');
    expect(seen).not.toContain('secret');
  });
});

describe('proxies', () => {
  it('get the whole URL and their credentials', async () => {
    const proxy = await serve((request, response) =>
      response.end(`${request.url} ${request.headers['proxy-authorization']} ${request.headers.host}`),
    );
    const HTTP_PROXY = proxy.origin.replace('http://', 'http://u:p@');
    const caller = await setUp({ env: { HTTP_PROXY } });
    const reply = await caller.request('http://host.invalid/x?y');
    expect(text(reply.bodyBase64)).toBe(`http://host.invalid/x?y Basic ${base64('u:p')} host.invalid`);
  });

  it('tunnel https, whose certificate is still checked', async () => {
    const { key, cert, certFile } = selfSigned();
    const secure = createSecureServer({ key, cert }, (_, response) => response.end('through'));
    await listen(secure);
    const port = (secure.address() as AddressInfo).port;
    const proxy = await serve((_, response) => response.end());
    const tunnels: (string | undefined)[] = [];
    proxy.server.on('connect', (request, socket) => {
      tunnels.push(request.url);
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      socket.on('error', () => onward.destroy());
      onward.on('close', () => socket.destroy());
    });
    const env = { HTTPS_PROXY: proxy.origin };
    const trusting = await setUp({ env: { ...env, CODEX_CA_CERTIFICATE: certFile } });
    const reply = await trusting.request(`https://localhost:${port}/`);
    expect(text(reply.bodyBase64)).toBe('through');
    expect(tunnels).toEqual([`localhost:${port}`]);
    const careful = await setUp({ env });
    expect((await careful.refusal(`https://localhost:${port}/`)).message).toContain(
      'self-signed certificate',
    );
    expect((await trusting.refusal(`https://elsewhere.invalid:${port}/`)).message).toMatch(/altnames/);
  });

  it('that refuse a tunnel are named as the reason', async () => {
    const proxy = await serve((_, response) => response.end());
    proxy.server.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const caller = await setUp({ env: { HTTPS_PROXY: proxy.origin } });
    expect(await caller.refusal('https://host.invalid/')).toEqual({
      code: -32603,
      message: 'http/request failed: the proxy refused a tunnel (403)',
    });
  });
});

describe('https', () => {
  it('trusts what SSL_CERT_FILE adds, and nothing when that file is missing', async () => {
    const { key, cert, certFile } = selfSigned();
    const secure = createSecureServer({ key, cert }, (_, response) => response.end('secure'));
    await listen(secure);
    const url = `https://localhost:${(secure.address() as AddressInfo).port}/`;
    const caller = await setUp({ env: { SSL_CERT_FILE: certFile } });
    expect(text((await caller.request(url)).bodyBase64)).toBe('secure');
    const broken = await setUp({ env: { SSL_CERT_FILE: '/does/not/exist' } });
    expect((await broken.refusal(url)).message).toBe(
      'http/request failed: the file that SSL_CERT_FILE names cannot be read',
    );
  });
});

function selfSigned(): { key: Buffer; cert: Buffer; certFile: string } {
  const directory = mkdtempSync(join(tmpdir(), 'exec-http-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`
      .split(' ')
      .concat('-keyout', keyFile, '-out', certFile),
    { stdio: 'ignore' },
  );
  return { key: readFileSync(keyFile), cert: readFileSync(certFile), certFile };
}
