// Who gets in: one page with a ticket of its own, and nobody else.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TICKET_PROTOCOL_PREFIX, WEB_SOCKET_PROTOCOL } from '@codex/exec-protocol';
import { workspaceWrite } from '@codex/sandbox';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ClientSocket from 'ws';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer } from './console-server.js';

const TITLE =
  whyNoBrowser === undefined ? 'the login of the console' : `the console, skipped: ${whyNoBrowser}`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  let server: ConsoleServer;
  let stranger: { readonly origin: string; close(): void };

  beforeAll(async () => {
    server = await ConsoleServer.start();
    stranger = await strangerSite();
  });
  afterAll(async () => {
    stranger.close();
    await server[Symbol.asyncDispose]();
  });

  const newPage = async (): Promise<Page> => (await server.browser()).newPage();
  const ticketOf = (address: string): string => new URL(address).hash.slice(1);
  /** As a program that sets every header itself. */
  const knock = (
    ticket: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ClientSocket | { status: number }> =>
    new Promise((resolve, reject) => {
      const protocols = [WEB_SOCKET_PROTOCOL, `${TICKET_PROTOCOL_PREFIX}${ticket}`];
      const own = { host: new URL(server.origin).host, origin: server.origin };
      const socket = new ClientSocket(`ws://127.0.0.1:${server.port}/console/ws`, protocols, {
        headers: { ...own, ...headers },
      });
      socket.once('open', () => resolve(socket));
      socket.once('error', reject);
      socket.once('unexpected-response', (request, { statusCode = 0 }) => {
        request.destroy();
        resolve({ status: statusCode });
      });
    });

  it('lets a page in by the address that was printed, and cleans the address', async () => {
    const page = await newPage();
    await page.goto(server.printedAddress);
    await page.waitForSelector('.link-open');
    expect(page.url()).toBe(`${server.origin}/console/#/`);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await (await server.browser()).cookies()).toEqual([]);
    await page.reload();
    await page.waitForSelector('.link-open');
    await page.close();
    const again = await newPage();
    await again.goto(server.printedAddress);
    await again.waitForSelector('text=A new link is needed');
    await again.close();
  });

  it('asks a page without a ticket for one', async () => {
    const page = await newPage();
    await page.goto(`${server.origin}/console/`);
    await page.waitForSelector('text=A new link is needed');
    await page.close();
  });

  it('has no place for scripts of others, frames or strings that become markup', async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/console/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "trusted-types 'none'",
    ])
      expect(policy).toContain(rule);
    const page = await newPage();
    await page.goto(`${server.origin}/console/`);
    const thrown = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<img src=x onerror=alert(1)>';
        return 'set';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(thrown).toBe('TypeError');
    await page.close();
  });

  it('gives nothing to pages of other sites and of other ports', async () => {
    const page = await newPage();
    await page.goto(stranger.origin);
    const ticket = ticketOf(await server.newAddress());
    const tries = await page.evaluate(
      async ([origin = '', name = '', carrier = '']) => {
        const read = (address: string, mode: RequestMode) =>
          fetch(address, { mode }).then(
            ({ type }) => type,
            () => 'failed',
          );
        const open = (protocols: string[]) =>
          new Promise((resolve) => {
            const socket = new WebSocket(`${origin.replace('http', 'ws')}/console/ws`, protocols);
            socket.onopen = () => resolve('open');
            socket.onerror = () => resolve('failed');
          });
        const load = (tag: 'script' | 'iframe') =>
          new Promise((resolve) => {
            const element = document.createElement(tag);
            element.src = `${origin}/console/`;
            element.onload = () => resolve('loaded');
            element.onerror = () => resolve('failed');
            document.body.append(element);
          });
        return {
          cors: await read(`${origin}/console/`, 'cors'),
          socket: await open([name]),
          socketWithTicket: await open([name, carrier]),
          script: await load('script'),
        };
      },
      [server.origin, WEB_SOCKET_PROTOCOL, `${TICKET_PROTOCOL_PREFIX}${ticket}`],
    );
    expect(tries).toEqual({ cors: 'failed', socket: 'failed', socketWithTicket: 'failed', script: 'failed' });
    // The gate stands before the ticket: it is good as ever where it belongs.
    const opened = await knock(ticket);
    expect(opened).toBeInstanceOf(ClientSocket);
    if (opened instanceof ClientSocket) opened.close();
    await page.close();
  });

  it('is in no frame', async () => {
    const page = await newPage();
    const address = await server.newAddress();
    const framed = page.waitForResponse((response) => response.url().endsWith('/console/'));
    await page.goto(`${stranger.origin}/framed?${encodeURIComponent(address)}`);
    expect((await framed).status()).toBe(403);
    expect(await page.locator('iframe').contentFrame().locator('#app').count()).toBe(0);
    await page.close();
  });

  it('does not answer to a name that was made to resolve here', async () => {
    const page = await newPage();
    const response = await page.goto(
      `http://rebound.example:${server.port}/console/#${ticketOf(await server.newAddress())}`,
    );
    expect(response?.status()).toBe(403);
    await page.close();
  });

  it.each([
    ['no Origin', { origin: '' }],
    ['the origin of another port', { origin: 'http://127.0.0.1:3000' }],
    ['another host', { host: 'rebound.example', origin: 'http://rebound.example' }],
    ['another port in Host', { host: '127.0.0.1:1', origin: 'http://127.0.0.1:1' }],
    ['another site', { 'sec-fetch-site': 'same-site' }],
  ])('refuses a ticket with %s, and does not spend it', async (_name, headers) => {
    const ticket = ticketOf(await server.newAddress());
    expect(await knock(ticket, headers)).toMatchObject({ status: 403 });
    const opened = await knock(ticket);
    expect(opened).toBeInstanceOf(ClientSocket);
    if (opened instanceof ClientSocket) opened.close();
    expect(await knock(ticket)).toMatchObject({ status: 403 });
  });

  it('never starts a command for a ticket, whatever it asks for', async () => {
    const opened = await knock(ticketOf(await server.newAddress(['--grant', 'files', 'approve', 'type'])));
    if (!(opened instanceof ClientSocket)) throw new Error(`answered with ${opened.status}`);
    const ask = (message: object): Promise<{ error?: { code: number }; result?: { sessionId: string } }> =>
      new Promise((resolve) => {
        opened.once('message', (data) => resolve(JSON.parse(String(data))));
        opened.send(JSON.stringify(message));
      });
    const start = { processId: 'x', argv: ['touch', '/tmp/started'], cwd: '/tmp', env: {} };
    expect((await ask({ id: 1, method: 'initialize', params: { clientName: 'thief' } })).error?.code).toBe(
      -32011,
    );
    expect((await ask({ id: 2, method: 'process/start', params: start })).error).toBeDefined();
    const observer = await ask({
      id: 3,
      method: 'initialize',
      params: { clientName: 'thief', role: 'observer' },
    });
    expect(observer.result?.sessionId).toBe('');
    opened.send(JSON.stringify({ method: 'initialized' }));
    expect((await ask({ id: 4, method: 'process/start', params: start })).error?.code).toBe(-32011);
    expect((await ask({ id: 5, method: 'console/createTicket', params: {} })).error?.code).toBe(-32011);
    opened.close();
  });

  it('lets nobody in from inside of a sandbox, ticket or not', async () => {
    const agent = await server.agent('agent');
    const ticket = ticketOf(await server.newAddress());
    const headers = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      `Host: ${new URL(server.origin).host}`,
      `Origin: ${server.origin}`,
      `Sec-WebSocket-Protocol: ${WEB_SOCKET_PROTOCOL}, ${TICKET_PROTOCOL_PREFIX}${ticket}`,
    ];
    const request = `GET /console/ws HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${server.port}; printf '%s' "$REQUEST" >&3; head -1 <&3`;
    const { stdout, stderr } = await agent.run(['bash', '-c', script], {
      env: { REQUEST: request },
      sandbox: workspaceWrite({ network: 'enabled' }),
    });
    expect(stdout.text || stderr.text).toContain('HTTP/1.1 403');
    // As confined as a browser is, but started below the server: no browser of a person's.
    const below = await agent.run(['setpriv', '--no-new-privs', 'bash', '-c', script], {
      env: { REQUEST: request },
    });
    expect(below.stdout.text || below.stderr.text).toContain('HTTP/1.1 403');
    const opened = await knock(ticket);
    expect(opened).toBeInstanceOf(ClientSocket);
    if (opened instanceof ClientSocket) opened.close();
  });

  it('is not there unless it was asked for, and is no directory', async () => {
    for (const path of [
      '/console/nothing.js',
      '/console/../codex.js',
      '/console/assets/',
      '/console/files.json',
    ])
      expect((await fetch(`http://127.0.0.1:${server.port}${path}`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${server.port}/console/`, { method: 'POST' })).status).toBe(405);
  });
});

/** A page on another port, which is the same site; it can show another page in a frame. */
async function strangerSite(): Promise<{ readonly origin: string; close(): void }> {
  const web = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    const framed = decodeURIComponent(new URL(request.url ?? '/', 'http://x').search.slice(1));
    response.end(
      framed === ''
        ? '<!doctype html><title>stranger</title><body>'
        : `<!doctype html><iframe src="${framed}"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    close: () => {
      web.closeAllConnections();
      web.close();
    },
  };
}
