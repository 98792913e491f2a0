// A real Chromium with a profile of its own, and a page of a real origin that has loaded the client's bundle.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Debian installs it; another place may be named. */
export const EXECUTABLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const whyNoBrowser: string | undefined = existsSync(EXECUTABLE)
  ? undefined
  : `there is no ${EXECUTABLE}: install chromium, or name it in CHROMIUM_PATH`;

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface BrowserPage {
  readonly page: Page;
  readonly origin: string;
  close(): Promise<void>;
}

/** A page on a loopback port whose global `codex` is the bundle. */
export async function openPage(bundle: string): Promise<BrowserPage> {
  const web = createServer((request, response) => {
    const isScript = request.url === '/codex.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? bundle
        : '<!doctype html><script type="module">globalThis.codex = await import("/codex.js");</script>',
    );
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const profile = mkdtempSync(join(tmpdir(), 'exec-browser-'));
  let context: BrowserContext | undefined;
  const close = async (): Promise<void> => {
    await context?.close();
    web.closeAllConnections();
    web.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: EXECUTABLE,
      headless: true,
      args: FLAGS,
    });
    const page = await context.newPage();
    await page.goto(origin);
    await page.waitForFunction('globalThis.codex !== undefined');
    return { page, origin, close };
  } catch (error) {
    await close();
    throw error;
  }
}
