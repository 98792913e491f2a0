// What the page does when something goes wrong around it: a cut at the worst moment, a server that is gone or another one, a
// process that was forgotten meanwhile.

import { ExecObserver } from '@codex/exec-client';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer, terminalText } from './console-server.js';

const TITLE = whyNoBrowser === undefined ? 'the console in trouble' : `the console, skipped: ${whyNoBrowser}`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  let server: ConsoleServer;
  let page: Page;

  beforeAll(async () => {
    // Little is kept of what is over, so that it is forgotten soon.
    server = await ConsoleServer.start(['--exited-process-retention-ms', '300', '--max-past-processes', '0']);
  });
  afterEach(async () => {
    await page.close();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const open = async (text: string): Promise<void> => {
    await page.click(`.process-item:has-text("${text}")`);
    await page.waitForSelector('[data-ready=true]');
  };

  it('comes back after a cut in the midst of its first questions', async () => {
    page = await server.openConsole();
    await page.addInitScript(() => {
      const { send } = WebSocket.prototype;
      let isFirst = true;
      WebSocket.prototype.send = function (data) {
        send.call(this, data);
        if (!isFirst || typeof data !== 'string' || !data.includes('observe/processes')) return;
        isFirst = false;
        this.close();
        document.documentElement.dataset['cut'] = 'yes';
      };
    });
    await page.reload();
    await page.waitForSelector('[data-cut=yes]');
    await page.waitForSelector('.link-open', { timeout: 5000 });
  });

  it('says nothing about agents before the server has said something', async () => {
    page = await server.openConsole();
    await page.waitForSelector('text=No agent is connected');
    await page.addInitScript(() => {
      WebSocket.prototype.send = () => undefined;
    });
    await page.reload();
    await page.waitForSelector('text=Connecting');
    expect(await page.locator('text=No agent is connected').count()).toBe(0);
  });

  it('still shows what it has of a process that was forgotten while it was cut off', async () => {
    const agent = await server.agent('brief');
    page = await server.openConsole();
    const process = await agent.spawn('echo held by the page; read go', { stdin: 'pipe' });
    await open('held by the page');
    await process.waitFor('held by the page');
    const goOffline = await cutOff(page);
    await process.stdin.write('go\n');
    await process.wait();
    await page.waitForTimeout(900);
    await goOffline.end();
    await page.waitForSelector('.link-open');
    await page.waitForTimeout(300);
    expect(await page.locator('text=Its output is no longer kept').count()).toBe(0);
    expect(await terminalText(page)).toContain('held by the page');
  });

  it('says that the server does not answer, stands still, and offers nothing that needs it', async () => {
    const agent = await server.agent('steady');
    page = await server.openConsole(['--grant', 'type']);
    const process = await agent.spawn('echo steady; sleep 100', { tty: true });
    await process.waitFor('steady');
    await open('echo steady');
    const offline = await cutOff(page);
    await page.waitForSelector('text=The server does not answer');
    const told = (): Promise<string | null> => page.locator('.process-head').textContent();
    const before = await told();
    await page.waitForTimeout(1500);
    expect(await told()).toBe(before);
    expect(await page.locator('.stop-button').isDisabled()).toBe(true);
    await page.keyboard.press('x');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await offline.end();
    await page.waitForSelector('.link-open');
    await page.waitForSelector('.stop-button:enabled');
    await process.terminate();
  });

  it('asks to stop nothing of which nothing is left', async () => {
    const agent = await server.agent('over');
    page = await server.openConsole();
    await agent.run('echo quite over');
    await open('quite over');
    await page.waitForSelector('text=Nothing of it is left');
    await page.keyboard.press('x');
    await page.waitForTimeout(200);
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  it('says what the server says where there are too many that watch', async () => {
    const observers = await Promise.all(Array.from({ length: 16 }, () => ExecObserver.connect(server.url)));
    page = await (await server.browser()).newPage();
    await page.goto(await server.newAddress());
    await page.waitForSelector('text=The server said: too many observers');
    await page.waitForSelector('text=A new link is needed');
    for (const observer of observers) await observer.close();
  });

  it('needs a new link when another server has its place, and shows that one then', async () => {
    page = await (await server.browser()).newPage();
    const first = await ConsoleServer.start();
    const { port } = first;
    const byNumber = (address: string): string => address.replace(/\/\/x\w+\.localhost/, '//127.0.0.1');
    const byName = await (await server.browser()).newPage();
    try {
      await byName.goto(first.printedAddress);
      await byName.waitForSelector('.link-open');
      await page.goto(byNumber(await first.newAddress()));
      await page.waitForSelector('.link-open');
      const agent = await first.agent('of-the-first');
      for (let count = 0; count < 20; count++) await agent.run('echo of the first server');
      await page.waitForSelector('.session-item:has-text("of-the-first")');
    } finally {
      await first[Symbol.asyncDispose]();
    }
    await using second = await ConsoleServer.start(['--listen', `ws://127.0.0.1:${port}`]);
    // The name was that of one run: nobody has it any more.
    await byName.waitForSelector('text=A new link is needed');
    await page.waitForSelector('text=A new link is needed');
    await page.goto(byNumber(await second.newAddress()));
    await page.waitForSelector('.link-open');
    const agent = await second.agent('of-the-second');
    await agent.run('echo of the second server');
    await page.waitForSelector('.session-item:has-text("of-the-second")');
    await page.waitForSelector('.event-text:has-text("echo of the second server")');
    expect(await page.locator('.session-item:has-text("of-the-first")').count()).toBe(0);
    await byName.close();
  });
});

/** The page reaches nothing until it is ended. */
async function cutOff(page: Page): Promise<{ end(): Promise<void> }> {
  const address = '**/console/';
  await page.route(address, (route) => route.abort());
  await page.evaluate(() => {
    Reflect.set(globalThis, 'isOffline', true);
    (Reflect.get(globalThis, 'cutSockets') as () => void)();
  });
  await page.waitForSelector('.link-lost');
  return {
    end: async () => {
      await page.evaluate(() => Reflect.set(globalThis, 'isOffline', false));
      await page.unroute(address);
    },
  };
}
