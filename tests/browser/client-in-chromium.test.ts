// The client in a real browser, on the real program with a token and an allowed origin: what a web application does.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExecServerProgram } from '../integration/cli/support/exec-server-program.js';
import { type CuttingProxy, cuttingProxy } from '../integration/client/support/cutting-proxy.js';
import { bundleClient } from './bundle-client.js';
import { type BrowserPage, openPage, whyNoBrowser } from './chromium.js';

const TOKEN = 'a token with spaces, ümlauts & "quotes"';

/** What the page's script has put there. */
declare const codex: typeof import('./page-entry.js');

/** The recipes that print, by name. */
const RECIPES = {
  commands: [`it's $5 {"answer":42} 3`],
  timeout: ['stopped after 500 ms: started'],
  streaming: ['step 1', 'step 2', '{"kind":"exited","exitCode":0}'],
  dialogue: ['Ada'],
  yieldWindow: ['running compiling', 'exited done'],
  failures: ['fs.notFound /no/such/file false'],
} as const;

const TITLE =
  whyNoBrowser === undefined ? 'the client in Chromium' : `the client in Chromium, skipped: ${whyNoBrowser}`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-in-browser-'));
  let browser: BrowserPage;
  let server: ExecServerProgram;
  let url: string;
  let proxy: CuttingProxy;
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    browser = await openPage(await bundleClient());
    cleanUp.push(() => browser.close());
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
    server = new ExecServerProgram([
      'exec-server',
      ...['--listen', 'ws://127.0.0.1:0'],
      ...['--ws-auth', 'capability-token', '--ws-token-file', tokenFile],
      ...['--allow-origin', browser.origin],
    ]);
    cleanUp.push(() => server[Symbol.asyncDispose]());
    url = await server.url();
    proxy = await cuttingProxy({ address: url, url, stop: async () => {} });
    cleanUp.push(() => proxy.close());
  });
  afterAll(async () => {
    for (const clean of cleanUp.reverse()) await clean();
    rmSync(folder, { recursive: true, force: true });
  });

  it('connects with a token, runs, and reads output to the last byte', async () => {
    const seen = await browser.page.evaluate(
      async ([address = '', token = '']) => {
        const client = await codex.ExecServerClient.connect(address, { token });
        const result = await client.run(
          'head -c 3000000 /dev/zero | tr "\\0" x; echo é; echo oops >&2; exit 3',
        );
        await client.close();
        const { stdout, stderr, outcome } = result;
        return { bytes: stdout.totalBytes, end: stdout.text.slice(-3), stderr: stderr.lines, outcome };
      },
      [url, TOKEN],
    );
    expect(seen).toEqual({
      bytes: 3_000_003,
      end: 'xé\n',
      stderr: ['oops'],
      outcome: { kind: 'exited', exitCode: 3 },
    });
  });

  it('is refused without the token, and from another origin', async () => {
    const attempt = async ([address = '', token = '']: string[]) => {
      const options = token === '' ? {} : { token };
      const error: unknown = await codex.ExecServerClient.connect(address, options).catch(
        (reason: unknown) => reason,
      );
      return error instanceof codex.ExecServerError ? [error.name, error.code] : error;
    };
    const refused = ['ExecServerError', 'transport.connect'];
    expect(await browser.page.evaluate(attempt, [url, ''])).toEqual(refused);
    expect(await browser.page.evaluate(attempt, [url, 'wrong'])).toEqual(refused);
    const stranger = await openPage(await bundleClient());
    try {
      expect(await stranger.page.evaluate(attempt, [url, TOKEN])).toEqual(refused);
    } finally {
      await stranger.close();
    }
  });

  it('writes to a command and reads what it says', async () => {
    const seen = await browser.page.evaluate(
      async ([address = '', token = '']) => {
        const client = await codex.ExecServerClient.connect(address, { token });
        const cat = await client.spawn(['cat'], { stdin: 'pipe' });
        for (let index = 0; index < 50; index++) await cat.stdin.write(`line ${index}\n`);
        await cat.stdin.end();
        const { stdout } = await cat.result();
        await client.close();
        return stdout.lines;
      },
      [url, TOKEN],
    );
    expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => `line ${index}`));
  });

  it('carries bytes as they are both ways, and as base64 where that is wanted', async () => {
    const seen = await browser.page.evaluate(
      async ([address = '', token = '', path = '']) => {
        const counts: Record<string, { said: number; heard: number }> = {};
        const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index * 7);
        for (const binaryPayloads of [true, false]) {
          const count = { said: 0, heard: 0 };
          const Plain = globalThis.WebSocket;
          globalThis.WebSocket = class extends Plain {
            constructor(...args: ConstructorParameters<typeof Plain>) {
              super(...args);
              this.addEventListener('message', ({ data }) => {
                if (typeof data !== 'string') count.heard++;
              });
            }
            override send(data: Parameters<WebSocket['send']>[0]): void {
              if (typeof data !== 'string') count.said++;
              super.send(data);
            }
          };
          const client = await codex.ExecServerClient.connect(address, { token, binaryPayloads });
          globalThis.WebSocket = Plain;
          await client.fs.write(path, bytes);
          const back = await client.fs.readBytes(path);
          const { stdout } = await client.run(['cat', path]);
          await client.close();
          const isSame = (other: Uint8Array) =>
            other.length === bytes.length && other.every((byte, index) => byte === bytes[index]);
          if (!isSame(back) || !isSame(stdout.bytes)) throw new Error('other bytes came back');
          counts[String(binaryPayloads)] = count;
        }
        return counts;
      },
      [url, TOKEN, join(folder, 'bytes')],
    );
    expect(seen['true']?.said).toBe(1);
    expect(seen['true']?.heard).toBeGreaterThan(1);
    expect(seen['false']).toEqual({ said: 0, heard: 0 });
  });

  it('goes on where it was after the connection broke', async () => {
    const { page } = browser;
    const counted = page.evaluate(
      async ([address = '', token = '']) => {
        const events: string[] = [];
        const client = await codex.ExecServerClient.connect(address, {
          token,
          onEvent: ({ type }) => void events.push(type),
        });
        const counting = await client.spawn('for i in $(seq 40); do echo $i; sleep 0.05; done');
        Reflect.set(globalThis, 'isCounting', true);
        const { stdout } = await counting.result();
        await client.close();
        return { lines: stdout.lines.length, last: stdout.lines.at(-1), events };
      },
      [String(proxy.address), TOKEN],
    );
    await page.waitForFunction('globalThis.isCounting === true');
    proxy.cut();
    expect(await counted).toEqual({
      lines: 40,
      last: '40',
      events: ['connected', 'reconnecting', 'reconnected', 'closed'],
    });
  });

  it('notices a connection that says nothing any more', async () => {
    const { page } = browser;
    const noticed = page.evaluate(
      async ([address = '', token = '']) => {
        const events: string[] = [];
        const client = await codex.ExecServerClient.connect(address, {
          token,
          heartbeat: { timeoutMs: 1500 },
          onEvent: ({ type }) => {
            events.push(type);
            if (type === 'reconnected') Reflect.set(globalThis, 'isBack', true);
          },
        });
        Reflect.set(globalThis, 'isQuiet', true);
        while (Reflect.get(globalThis, 'isBack') !== true) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const text = await client.run('echo back').text();
        await client.close();
        return { text, events };
      },
      [String(proxy.address), TOKEN],
    );
    await page.waitForFunction('globalThis.isQuiet === true');
    proxy.stall();
    expect(await noticed).toEqual({
      text: 'back\n',
      events: ['connected', 'reconnecting', 'reconnected', 'closed'],
    });
  });

  it('reads, writes, lists and watches files, and has no local ones', async () => {
    const seen = await browser.page.evaluate(
      async ([address = '', token = '', directory = '']) => {
        const client = await codex.ExecServerClient.connect(address, { token });
        const { fs } = client;
        const large = new Uint8Array(3_000_000).fill(7);
        await fs.write(`${directory}/a/large`, large, { parents: true });
        await fs.write(`${directory}/a/ümlaut`, 'grüße');
        const back = await fs.readBytes(`${directory}/a/large`);
        const watch = fs.watch(directory);
        await watch.ready;
        await fs.write(`${directory}/new`, '');
        const { value } = await watch.next();
        await watch.return();
        const names = (await fs.list(`${directory}/a`)).map(({ name }) => name);
        let upload: unknown;
        try {
          await fs.upload('/x', '/y');
        } catch (error) {
          upload = error instanceof codex.ExecServerError ? error.code : error;
        }
        await client.close();
        return {
          same: back.length === large.length && back.every((byte) => byte === 7),
          text: await Promise.resolve(value?.type),
          names,
          upload,
        };
      },
      [url, TOKEN, folder],
    );
    expect(seen).toEqual({ same: true, text: 'created', names: ['large', 'ümlaut'], upload: 'unsupported' });
  });

  it.each(Object.entries(RECIPES))('follows the recipe %s', async (name, expected) => {
    const printed = await browser.page.evaluate(
      async ([address = '', token = '', recipe = '']) => {
        const client = await codex.ExecServerClient.connect(address, { token });
        const lines: string[] = [];
        const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
        const run = codex[recipe as 'commands'];
        await run(client, { log: (...values) => void lines.push(values.map(show).join(' ').trim()) });
        await client.close();
        return lines;
      },
      [url, TOKEN, name],
    );
    expect(printed).toEqual(expected);
  });
});
