// Output that is made to hold the page up does not: it is drawn, whatever comes after it is, and the page can be used.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer } from './console-server.js';
import { SLOW_OUTPUT, seenAfter } from './slow-output.js';

const TITLE = whyNoBrowser === undefined ? 'slow output' : `slow output, skipped: ${whyNoBrowser}`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  let server: ConsoleServer;
  let page: Page;

  beforeAll(async () => {
    server = await ConsoleServer.start();
    page = await server.openConsole();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it.each(Object.entries(SLOW_OUTPUT))('%s', async (name, output) => {
    const file = join(server.folder, 'slow');
    writeFileSync(file, output + seenAfter(name));
    const agent = await server.agent('slow');
    await using command = await agent.spawn(['sh', '-c', `cat ${file}; sleep 600 # ${name}`], {
      tty: true,
      capture: { maxBytes: 1024 },
    });
    await page.click(`.process-item:has-text("# ${name}")`);
    await page.waitForFunction(
      (wanted) => document.querySelector('.xterm-rows')?.textContent.includes(wanted),
      `after: ${name}`,
      { timeout: 30_000 },
    );
    // And back to its beginning, while nothing else is to be drawn.
    await page.getByLabel('Moment in the log').fill('1');
    await page.waitForSelector('[data-at="1"]');
    await page.keyboard.press('End');
    await command.stop();
  });

  it('is not drawn at a size that no screen has', async () => {
    const agent = await server.agent('huge');
    await using command = await agent.spawn(['sh', '-c', 'echo wide; sleep 600'], {
      tty: { rows: 65_535, cols: 65_535 },
    });
    await page.click('.process-item:has-text("echo wide")');
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent.includes('wide'));
    expect(await page.locator('.xterm-rows > div').count()).toBeLessThanOrEqual(500);
    await command.stop();
  });

  it('made no mistake of its own', () => {
    expect(server.pageErrors).toEqual([]);
  });
});
