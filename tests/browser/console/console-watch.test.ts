// What a person does with the console: watch, go back, stop, understand, decide.

import { workspaceWrite } from '@codex/sandbox';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer, savedLog, terminalText } from './console-server.js';

const TITLE = whyNoBrowser === undefined ? 'the console' : `the console, skipped: ${whyNoBrowser}`;

describe.skipIf(whyNoBrowser !== undefined)(TITLE, () => {
  let server: ConsoleServer;
  let page: Page;

  beforeAll(async () => {
    // Little is kept, so that a gap comes soon.
    server = await ConsoleServer.start(['--retained-output-bytes-per-process', '300000']);
    page = await server.openConsole();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const open = async (text: string): Promise<void> => {
    await page.click(`.process-item:has-text("${text}")`);
    await page.waitForSelector('[data-ready=true]');
  };
  const shows = (text: string): Promise<unknown> =>
    page.waitForFunction(
      (wanted) => document.querySelector('.xterm-rows')?.textContent.includes(wanted),
      text,
    );

  it('watches a terminal that an agent drives, and goes back to any moment', async () => {
    const agent = await server.agent('driver');
    const shell = await agent.spawn('PS1="ready> " sh -i', { tty: { rows: 20, cols: 70 } });
    await shell.waitFor('ready> ');
    await open('sh -i');
    await shows('ready>');
    for (const word of ['first', 'second', 'third']) {
      await shell.stdin.write(`echo ${word}-$((6*7))\n`);
      await shell.waitFor(`${word}-42`);
    }
    await shows('third-42');
    const whole = await terminalText(page);
    const slider = page.getByLabel('Moment in the log');
    const end = Number(await slider.getAttribute('max'));
    const seen: string[] = [];
    for (let index = end - 1; index > 0; index--) {
      await page.click('button[aria-label="One event back"]');
      await page.waitForSelector(`[data-at="${index}"]`);
      seen.push(await terminalText(page));
    }
    expect(seen.at(-1)).not.toContain('third-42');
    expect(seen.some((text) => text.includes('second-42') && !text.includes('third-42'))).toBe(true);
    // Two moments compared: what came between them, and nothing else.
    await page.keyboard.press('m');
    await slider.fill(String(end - 1));
    await page.waitForSelector('.compare .change-new:has-text("second-42")');
    await page.click('.compare >> text=Close');
    await slider.fill('1');
    await page.waitForSelector('[data-at="1"]');
    // Standing in the past, nothing that comes moves the screen.
    const then = await terminalText(page);
    await shell.stdin.write('echo later\n');
    await shell.waitFor('later\r\n');
    await page.waitForFunction(
      (last) => Number(document.querySelector<HTMLInputElement>('.track input')?.max) > last,
      end,
    );
    expect(await terminalText(page)).toBe(then);
    await page.keyboard.press('End');
    await shows('later');
    expect((await terminalText(page)).startsWith(whole.trimEnd().slice(0, 40))).toBe(true);
    await shell.stop();
  });

  it('opens at the moment that a link names', async () => {
    const agent = await server.agent('linked');
    const talk = await agent.spawn('for i in 1 2 3 4; do echo "moment $i"; read go; done', { stdin: 'pipe' });
    for (const moment of [1, 2, 3, 4]) {
      // Each is an event of its own, because the one before has been read.
      await talk.waitFor(`moment ${moment}`);
      if (moment < 4) await talk.stdin.write('\n');
    }
    await open('moment');
    await shows('moment 4');
    const handle = /#\/s\/([^/]+)\/p\/([^?]+)/.exec(page.url());
    await page.goto(`${server.origin}/console/#/s/${handle?.[1]}/p/${handle?.[2]}?seq=2`);
    await page.reload();
    await page.waitForSelector('[data-ready=true]');
    await shows('moment 2');
    expect(await terminalText(page)).not.toContain('moment 3');
    await talk.stop();
  });

  it('says what is missing', async () => {
    const agent = await server.agent('flood');
    const flood = await agent.spawn('seq 1 200000; echo the end; sleep 30', { stdin: 'none' });
    await flood.waitFor('the end');
    await open('seq 1 200000');
    await shows('the end');
    await page.locator('.gap-mark').first().waitFor({ state: 'attached' });
    expect(await page.locator('.gap-mark').first().getAttribute('title')).toMatch(
      / are gone \(seq \d+ to \d+\)/,
    );
    expect((await savedLog(page)).gaps).toBeGreaterThan(0);
    await page.keyboard.press('2');
    await page.waitForSelector('.line-text:has-text("the end")');
    await flood.stop();
  });

  it('loses no byte over cuts and a reload', async () => {
    const agent = await server.agent('counter');
    const counting = await agent.spawn('for i in $(seq 60); do echo "line $i"; sleep 0.03; done; sleep 30');
    await open('line $i');
    for (const seen of ['line 10', 'line 25']) {
      await shows(seen);
      await page.evaluate('cutSockets()');
      await page.waitForSelector('.link-open');
    }
    await counting.waitFor('line 60');
    await shows('line 60');
    const expected = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');
    expect(await savedLog(page)).toMatchObject({ text: expected, gaps: 0 });
    await page.reload();
    await page.waitForSelector('[data-ready=true]');
    await shows('line 60');
    expect(await savedLog(page)).toMatchObject({ text: expected, gaps: 0 });
    await counting.stop();
  });

  it('stops a tree, daemons included, and says who did it', async () => {
    const agent = await server.agent('daemons');
    const tree = await agent.spawn('(setsid sleep 987 &) ; (sleep 988 &) ; echo up; sleep 989');
    await tree.waitFor('up');
    await open('sleep 989');
    await page.keyboard.press('x');
    await page.click('text=Stop the tree');
    await page.waitForSelector('.quiet-over:has-text("Nothing of it is left")');
    const left = await agent.run('pgrep -f "^sleep 98[789]$" | wc -l').text();
    expect(left.trim()).toBe('0');
    await page.keyboard.press('6');
    await page.waitForSelector('.event-text:has-text("terminate (graceful) by")');
  });

  it('explains a denial with its rule and the smallest change', async () => {
    const agent = await server.agent('denied');
    await agent.run('echo x > /etc/console-test', { cwd: server.folder, sandbox: workspaceWrite() });
    await open('/etc/console-test');
    await page.waitForSelector('.denial:has-text("Read-only file system")');
    await page.waitForSelector('.denial:has-text("The rule for / decides")');
    await page.waitForSelector('.denial .change:has-text("/etc/console-test")');
    await page.keyboard.press('4');
    await page.getByLabel('A path to ask about').fill(`${server.folder}/new`);
    await page.click('.what-if button');
    await page.waitForSelector('.decision .access-write');
    // The same path under another policy, beside it.
    await page.getByLabel('The policy to compare with').selectOption('read-only');
    await page.waitForSelector(`.compare-table tr.is-different:has-text("${server.folder}")`);
    await page.waitForSelector('.two-decisions .access-deny:has-text("no write")');
    await page.keyboard.press('Escape');
    await page.click('role=tab[name="Files"]');
    await page.waitForSelector('.files-list');
  });

  it('decides an approval, once', async () => {
    const agent = await server.agent('asker');
    const asked = agent.approvals.ask({
      title: 'Push to production?',
      argv: ['git', 'push'],
      reason: 'the tests pass',
    });
    await page.click('.top-links >> text=Approvals');
    await page.waitForSelector('.approval:has-text("the tests pass")');
    await page.getByLabel('A note with the decision').fill('go');
    await page.click('.choice-allow');
    expect(await asked).toMatchObject({ decision: 'allow', decided: true, note: 'go' });
    await page.waitForSelector('.decided:has-text("Push to production?")');
  });

  it('does nothing that hostile output asks for, and brings no byte to the process', async () => {
    const agent = await server.agent('hostile');
    const attack = [
      String.raw`\033]52;c;aGFja2Vk\007`,
      String.raw`\033]0;owned\007`,
      String.raw`\033[6n\033[c\033[>c\033]11;?\007\033P$qm\033\\\033[?1;2c\033[18t`,
      String.raw`\033]8;;javascript:alert(1)\033\\click\033]8;;\033\\`,
      String.raw`\342\200\256gnp.exe`,
    ].join('');
    const target = await agent.spawn(
      `printf '${attack}\\nshown\\n'; stty raw -echo; head -c 1 | od -c; echo got`,
      {
        tty: true,
      },
    );
    await target.waitFor('shown');
    await open('shown');
    await shows('shown');
    await page.reload();
    await page.waitForSelector('[data-ready=true]');
    await shows('shown');
    await page.click('.terminal-holder');
    await page.keyboard.type('zzz');
    expect(await page.title()).toBe('exec-server console');
    expect(await page.locator('.dialog').count()).toBe(0);
    // One byte of input would end it; the owner's does.
    await target.stdin.write('o');
    await target.waitFor('got');
    const { stdout } = await target.result();
    expect(stdout.text).toContain('0000000   o\n0000001\n');
    await page.keyboard.press('g');
    await page.waitForSelector('.overview');
    expect(await page.locator('.process-item:has-text("gnp")').first().textContent()).not.toContain('\u202e');
  });

  it('stays usable with many processes, and while `yes` fills a terminal', async () => {
    const count = process.env['SOAK'] === '1' ? 10_000 : 200;
    const agent = await server.agent('busy');
    for (let done = 0; done < count; done += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => agent.run(['true', String(done + index)])));
    const flood = await agent.spawn('yes', { tty: true });
    await open('yes');
    await shows('y');
    // Every frame comes, typing works, and the list has what was asked for.
    const slowest = await page.evaluate(async () => {
      let longest = 0;
      let last = performance.now();
      for (let frame = 0; frame < 60; frame++) {
        await new Promise(requestAnimationFrame);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      return longest;
    });
    await page.keyboard.press('/');
    await page.keyboard.type(`true ${count - 1}`);
    await page.waitForSelector(`.process-item:has-text("true ${count - 1}")`);
    expect(await page.locator('.process-item').count()).toBeLessThan(60);
    await page.locator('#search').fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.click('text=Stop the tree');
    await flood.result();
    expect(slowest).toBeGreaterThan(0);
    if (process.env['SOAK'] === '1')
      process.stderr.write(`slowest of 60 frames: ${Math.round(slowest)} ms\n`);
  }, 300_000);

  it('made no mistake of its own', () => {
    expect(server.pageErrors).toEqual([]);
  });
});
