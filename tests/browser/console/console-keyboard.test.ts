// The console without a mouse: from the address bar to any command and any of its views. And what stands beside a terminal.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer } from './console-server.js';

const TITLE =
  whyNoBrowser === undefined ? 'the console without a mouse' : `the console, skipped: ${whyNoBrowser}`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  let server: ConsoleServer;
  let page: Page;

  beforeAll(async () => {
    server = await ConsoleServer.start();
    const agent = await server.agent('typist');
    await agent.run('echo older');
    await agent.run(['node', '-e', 'for (let i = 0; i < 200; i++) console.log("x".repeat(120))']);
    page = await server.openConsole();
    await page.waitForSelector('.process-item:has-text("older")');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const focused = (): Promise<string> =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('leads through the list by arrows, and opens what is there', async () => {
    for (let stops = 0; stops < 12 && (await focused()) !== 'Agents and processes'; stops++)
      await press('Tab');
    expect(await focused()).toBe('Agents and processes');
    await press('ArrowDown');
    expect(await focused()).toMatch(/^typist, attached/);
    await press('ArrowLeft');
    await page.waitForSelector('.process-item', { state: 'detached' });
    await press('ArrowRight');
    await page.waitForSelector('.process-item');
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await page.waitForSelector('h1:has-text("echo older")');
    await press('ArrowUp', 'ArrowUp', 'Enter');
    await page.waitForSelector('.session-page');
  });

  it('leads through the tabs by arrows, and every one of them takes the focus', async () => {
    await press('ArrowDown', 'Enter');
    await page.waitForSelector('[data-ready=true]');
    await page.locator('role=tab[name="Terminal"]').focus();
    for (const name of ['Output', 'Tree', 'Policy', 'Files', 'Events', 'Terminal']) {
      await press('ArrowRight');
      await page.waitForSelector(`role=tab[name="${name}"][selected]`);
      expect(await focused()).toBe(name);
    }
    await press('ArrowLeft');
    await page.waitForSelector('role=tab[name="Events"][selected]');
    await press('1');
  });

  it('has its scroll bar beside the last column of a terminal, not on it', async () => {
    await page.waitForSelector('.xterm-screen');
    const edges = await page.evaluate(() => {
      const edge = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
      const [screen, bar] = [edge('.xterm-screen .xterm-rows'), edge('.xterm .scrollbar.vertical .slider')];
      return { column: screen?.right ?? 0, bar: bar?.left ?? 0, width: bar?.width ?? 0 };
    });
    expect(edges.bar).toBeGreaterThanOrEqual(edges.column);
    expect(edges.width).toBe(8);
  });

  it('made no mistake of its own', () => {
    expect(server.pageErrors).toEqual([]);
  });
});
