// The built program with its console, an agent that is a real client, and pages of a real browser.

import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { ExecServerProgram } from '../../integration/cli/support/exec-server-program.js';
import { EXECUTABLE, FLAGS } from '../chromium.js';

export class ConsoleServer implements AsyncDisposable {
  readonly program: ExecServerProgram;
  readonly folder = mkdtempSync(join(tmpdir(), 'exec-console-'));
  url = '';
  readonly pageErrors: string[] = [];
  readonly #clean: (() => unknown)[] = [];
  #context: BrowserContext | undefined;

  private constructor(flags: readonly string[]) {
    this.program = new ExecServerProgram(['--console', '--listen', 'ws://127.0.0.1:0', ...flags]);
  }

  static async start(flags: readonly string[] = []): Promise<ConsoleServer> {
    const server = new ConsoleServer(flags);
    server.url = await server.program.url();
    await server.program.stderrIncludes('/console/#');
    return server;
  }

  get port(): string {
    return new URL(this.url).port;
  }

  /** The address that was printed with the first ticket, by the name of this run. */
  get printedAddress(): string {
    return /http:\/\/x\S+/.exec(this.program.stderr)?.[0] ?? '';
  }

  /** `http://x….localhost:PORT` */
  get origin(): string {
    return new URL(this.printedAddress).origin;
  }

  async agent(clientName: string): Promise<ExecServerClient> {
    const client = await ExecServerClient.connect(this.url, { clientName });
    this.#clean.push(() => client.close());
    return client;
  }

  /** An address with a ticket of its own, from the command line as a person asks for it. */
  async newAddress(words: readonly string[] = ['--grant', 'files', 'approve']): Promise<string> {
    await using command = new ExecServerProgram(['console', '--url', this.url, '--no-open', ...words]);
    const { code } = await command.exited;
    if (code !== 0) throw new Error(`exec-server console: ${command.stderr}`);
    return command.stdout.trim();
  }

  /** Resolves a foreign name to this machine, as whoever rebinds one does. */
  async browser(): Promise<BrowserContext> {
    this.#context ??= await chromium.launchPersistentContext(join(this.folder, 'profile'), {
      executablePath: EXECUTABLE,
      headless: true,
      args: [...FLAGS, '--host-resolver-rules=MAP rebound.example 127.0.0.1'],
      viewport: { width: 1360, height: 860 },
    });
    return this.#context;
  }

  /** A page that has logged in. What goes wrong inside of it is collected. */
  async openConsole(words?: readonly string[]): Promise<Page> {
    const page = await (await this.browser()).newPage();
    await page.addInitScript(rememberSockets);
    page.on('pageerror', ({ message }) => this.pageErrors.push(message));
    page.on('console', (message) => {
      // A connection that was cut is told there; everything else is a mistake of ours.
      if (message.type() === 'error' && !message.text().includes('WebSocket'))
        this.pageErrors.push(message.text());
    });
    await page.goto(await this.newAddress(words));
    await page.waitForSelector('.link-open');
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context?.close();
    for (const clean of this.#clean) await clean();
    this.program.child.kill('SIGTERM');
    if (this.program.child.exitCode === null) await once(this.program.child, 'exit');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** In the page: every websocket that it opens can be cut from outside, and while `isOffline` is set none opens. */
function rememberSockets(): void {
  const sockets: WebSocket[] = [];
  Reflect.set(globalThis, 'cutSockets', () => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      // A place where there is nothing; the policy of the page does not let it ask elsewhere.
      super(Reflect.get(globalThis, 'isOffline') === true ? `${url}-nowhere` : url, protocols);
      sockets.push(this);
    }
  };
}

/** The bytes of a log that the page saved, and what else is in it. */
export async function savedLog(page: Page): Promise<{ text: string; kinds: string[]; gaps: number }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.click('button[title="Save the log as JSON lines"]'),
  ]);
  const stream = await saved.createReadStream();
  let lines = '';
  for await (const piece of stream) lines += String(piece);
  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; chunk?: string });
  const text = Buffer.concat(entries.map(({ chunk = '' }) => Buffer.from(chunk, 'base64'))).toString('utf8');
  const kinds = entries.map(({ kind }) => kind);
  return { text, kinds, gaps: kinds.filter((kind) => kind === 'gap').length };
}

/** What the terminal of the page shows, line by line. */
export async function terminalText(page: Page): Promise<string> {
  // What was written is drawn with the next frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return page
    .locator('.xterm-rows > div')
    .allTextContents()
    .then((lines) => lines.map((line) => line.trimEnd()).join('\n'));
}
