// Typing from the page: with the grant, when it was turned on, by a person's keys and by nothing else.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer } from './console-server.js';

const TITLE = whyNoBrowser === undefined ? 'typing' : `typing, skipped: ${whyNoBrowser}`;
/** Shows every byte that it is given, after everything that could make a terminal answer by itself. */
const HOSTILE = String.raw`stty raw -echo; printf '\033[?1004h\033[?1000h\033[?1003h\033[?1006h\033[?2004h\033[6n\033[c\033[>c\033]11;?\007\033[18t\033[5n\033[?6n\033P$qm\033\\shown\n'; dd bs=64 2>/dev/null | od -An -c -v -w1`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  let server: ConsoleServer;
  let page: Page;

  beforeAll(async () => {
    server = await ConsoleServer.start();
    page = await server.openConsole(['--grant', 'type']);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const open = async (on: Page, text: string): Promise<void> => {
    await on.click(`.process-item:has-text("${text}")`);
    await on.waitForSelector('[data-ready=true]');
  };
  const shows = (on: Page, text: string): Promise<unknown> =>
    on.waitForFunction((wanted) => document.querySelector('.xterm-rows')?.textContent.includes(wanted), text);

  it('brings the keys of who turned it on, and says who types', async () => {
    const agent = await server.agent('typed-into');
    const shell = await agent.spawn('PS1="ready> " sh -i', { tty: { rows: 20, cols: 70 } });
    await shell.waitFor('ready> ');
    await open(page, 'sh -i');
    await page.click('.terminal-holder');
    await page.keyboard.type('t');
    const theme = await page.evaluate(() => document.documentElement.dataset['theme']);
    await page.click('.typing-bar button');
    await page.keyboard.type('echo tést-$((6*7)) \\');
    await page.keyboard.press('Enter');
    await page.keyboard.type('t');
    await page.keyboard.press('Enter');
    await shell.waitFor('tést-42 t');
    // Its letters were no keys of the page.
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    const watcher = await server.openConsole([]);
    await open(watcher, 'sh -i');
    await watcher.waitForSelector('.typed-by:has-text("typed")');
    expect(await watcher.locator('.typing-on').count()).toBe(0);
    expect(await watcher.locator('.typing-bar button').count()).toBe(0);
    await watcher.close();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Control+]');
    await page.waitForSelector('.typing-bar:not(.is-on)');
    await shell.stop();
  });

  it('asks before it pastes, and a paste cannot press keys', async () => {
    const agent = await server.agent('pasted-into');
    const cat = await agent.spawn(`stty raw -echo; printf '\\033[?2004hready'; od -An -c -v -w1`, {
      tty: true,
    });
    await cat.waitFor('ready');
    await open(page, 'od -An');
    await shows(page, 'ready');
    await page.click('.typing-bar button');
    await paste(page, 'one\u001b[201~\ntwo');
    await page.waitForSelector('.dialog-paste:has-text("Paste 2 lines")');
    await page.click('text=Do not paste');
    await paste(page, 'ok\u001b[201~\ngo');
    await page.click('.dialog-paste .choices button:has-text("Paste"):not(.choice-last)');
    await cat.waitFor('~');
    await cat.waitFor('g\n');
    await page.click('.typing-on');
    await cat.stop();
    const { stdout } = await cat.result();
    expect(stdout.text.replace(/[\s]/g, '')).toBe(
      String.raw`ESC[?2004hready033[200~ok[201~\rgo033[201~`.replace('ESC', '\u001b'),
    );
  });

  it('types nothing that output asks for, live or from history, and nothing in the past', async () => {
    const agent = await server.agent('asking');
    const asking = await agent.spawn(HOSTILE, { tty: true });
    await asking.waitFor('shown');
    await open(page, 'shown');
    await shows(page, 'shown');
    await page.click('.typing-bar button');
    await page.reload();
    await page.waitForSelector('[data-ready=true]');
    await shows(page, 'shown');
    // After a reload it is off again.
    await page.click('.terminal-holder');
    await page.keyboard.type('q');
    await page.click('.typing-bar button');
    await page.mouse.move(500, 400);
    await page.mouse.click(520, 420);
    await page.mouse.wheel(0, 200);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.click('.terminal-holder');
    await page.getByLabel('Moment in the log').fill('0');
    await page.click('.terminal-holder');
    await page.keyboard.type('past');
    await page.click('.live-button');
    await page.click('.terminal-holder');
    await page.keyboard.type('w');
    await asking.waitFor('w\n');
    await asking.stop();
    const { stdout } = await asking.result();
    expect(stdout.text.slice(stdout.text.indexOf('shown') + 5).replace(/\s/g, '')).toBe('w');
  });

  it('made no mistake of its own', () => {
    expect(server.pageErrors).toEqual([]);
  });
});

/** As the browser does it, with what the clipboard holds. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((clip) => {
    const data = new DataTransfer();
    data.setData('text/plain', clip);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('.xterm-helper-textarea')?.dispatchEvent(event);
  }, text);
}
