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

  describe('characters that were never shown', () => {
    /** Shows a file in a terminal, and gives back how often the browser laid out the page for it. */
    const show = async (name: string, text: string): Promise<number> => {
      const file = join(server.folder, name);
      writeFileSync(file, `${text}\nall of ${name}`);
      const agent = await server.agent(name);
      const command = await agent.spawn(['sh', '-c', `read go; cat ${file}; sleep 600`], {
        tty: { rows: 24, cols: 80 },
      });
      await page.click(`.process-item:has-text("cat ${file}")`);
      await page.waitForSelector('[data-ready=true]');
      const devTools = await page.context().newCDPSession(page);
      await devTools.send('Performance.enable');
      const layouts = async (): Promise<number> => {
        const { metrics } = await devTools.send('Performance.getMetrics');
        return metrics.find((metric) => metric.name === 'LayoutCount')?.value ?? 0;
      };
      const before = await layouts();
      await command.stdin.write('\n');
      await page.waitForFunction(
        (wanted) => document.querySelector('.xterm-rows')?.textContent.includes(wanted),
        `all of ${name}`,
      );
      return (await layouts()) - before;
    };

    it('are measured without a layout for each', async () => {
      const ideographs = Array.from({ length: 800 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
      expect(await show('ideographs', ideographs)).toBeLessThan(200);
    });

    it('stand in their columns, whatever is before them', async () => {
      const styled = '\u001b[1mMW漢\u001b[3m字\u001b[0m';
      const cells = ['abcdef', '漢字é漢', 'e\u0301'.repeat(6), '👩🏽\u200d💻ﷺ…ab', styled, '␤№✓ŵ→⌇'];
      await show('columns', cells.map((line) => `\r\n${line}\u001b[8G|`).join(''));
      const ends = await page.evaluate(() =>
        [...document.querySelectorAll('.xterm-rows > div')].flatMap((row) => {
          const bar = [...row.querySelectorAll('span')].find(({ textContent }) => textContent.endsWith('|'));
          return bar === undefined ? [] : [bar.getBoundingClientRect().right];
        }),
      );
      expect(ends).toHaveLength(cells.length);
      expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1);
    });
  });

  it('made no mistake of its own', () => {
    expect(server.pageErrors).toEqual([]);
  });
});
