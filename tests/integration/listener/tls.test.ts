import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capabilityTokenAuth } from '@codex/exec-listener/auth';
import { RpcPeer } from '@codex/exec-rpc';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpExchange, rawSocket, startListener } from './support/listener-fixture.js';

function selfSigned(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const key = join(folder, 'key.pem');
  const cert = join(folder, 'cert.pem');
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=test',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

describe('a TLS listener', () => {
  it('serves wss to clients that trust its certificate, and drops plaintext and silent ones', async () => {
    const tls = selfSigned();
    const { url, port } = await startListener({ tls, limits: { handshakeTimeoutMs: 500 } });
    expect(url).toMatch(/^wss:\/\/127\.0\.0\.1:\d+$/);
    const peer = new RpcPeer(await connectWebSocket(url, { ca: tls.cert }), {
      onRequest: () => null,
      onNotification: () => {},
    });
    const text = 'x'.repeat(12_000_000);
    expect(await peer.call('echo', text)).toBe(text);
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    expect((await httpExchange(port, { upgrade: true })).status).toBe(0);
    const silent = await rawSocket(port);
    silent.resume();
    await new Promise((resolve) => silent.once('close', resolve));
    // The websocket was promoted out of the half-open ones and outlives their deadline.
    expect(await peer.call('echo', 1)).toBe(1);
    peer.close();
  });

  it('may listen off loopback with auth, where any Host is served', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((entry) => entry?.family === 'IPv4' && !entry.internal);
    const tls = selfSigned();
    const auth = capabilityTokenAuth({ token: 'T' });
    const { port } = await startListener({ host: '0.0.0.0', tls, auth });
    const channel = await connectWebSocket(`wss://127.0.0.1:${port}`, {
      ca: tls.cert,
      token: 'T',
      headers: { Host: 'build.example' },
    });
    channel.close();
    if (outside === undefined) return;
    await expect(connectWebSocket(`wss://${outside.address}:${port}`, { ca: tls.cert })).rejects.toThrow();
  });
});
