// Every screen: what it shows, that it can be read and used without eyes or a mouse, and that names which somebody else chose
// do nothing in any of them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceWrite } from '@codex/sandbox';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../chromium.js';
import { ConsoleServer } from './console-server.js';
import { faintTexts, namelessControls } from './page-audit.js';

const TITLE =
  whyNoBrowser === undefined ? 'the screens of the console' : `the console, skipped: ${whyNoBrowser}`;
/** Direction marks, escapes, markup, stacked marks, and more than fits. */
const HOSTILE = `\u202egnp.\u001b[31m\u001b]0;x\u0007<img src=x onerror="document.title='owned'">${'\u0351'.repeat(300)}${'w'.repeat(900)}`;

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

  const rest = (): Promise<unknown> => page.evaluate('document.activeElement?.blur()');
  const open = async (text: string): Promise<void> => {
    await page.click(`.process-item:has-text("${text}")`);
    await page.waitForSelector('[data-ready=true]');
  };
  const tab = async (name: string): Promise<void> => {
    await page.click(`role=tab[name="${name}"]`);
    await page.waitForSelector(`[role=tabpanel][aria-label="${name}"]`);
  };

  it('ends what a command left behind when it has exited itself', async () => {
    const agent = await server.agent('daemons');
    await agent.run('(setsid sleep 977 & sleep 978 &) >/dev/null 2>&1; echo left');
    await open('sleep 977');
    await page.waitForSelector('.quiet-stuck:has-text("2 processes that it started")');
    await tab('Tree');
    await page.waitForSelector('.tree-table td:has-text("sleep 977")');
    await page.waitForSelector('.tree-table td:has-text("sleep 978")');
    await rest();
    await page.keyboard.press('x');
    await page.click('text=End the tree');
    await page.waitForSelector('.quiet-over:has-text("Nothing of it is left")');
    expect((await agent.run('pgrep -f "^sleep 97[78]$" | wc -l').text()).trim()).toBe('0');
  });

  it('shows the tree of a running command, and what it started later', async () => {
    const agent = await server.agent('tree');
    const shell = await agent.spawn('read go; sleep 971 & read go', { stdin: 'pipe' });
    await open('sleep 971 &');
    await tab('Tree');
    await page.waitForSelector('.tree-table .is-command');
    await shell.stdin.write('\n');
    await page.waitForSelector('.tree-table tr:not(.is-command) td:has-text("sleep 971")');
    await shell.stop();
  });

  it('tells the life of a session on one line', async () => {
    const agent = await server.agent('comes-and-goes');
    await agent.run('exit 4');
    await page.click('.session-open:has-text("comes-and-goes")');
    await page.waitForSelector('.life-attached');
    await page.waitForSelector('.session-row:has-text("exit 4")');
    // A client that leaves nothing behind ends its session; this one may come back for its process.
    (await agent.spawn('sleep 60')).detach();
    await agent.close();
    await page.waitForSelector('.life-away');
    await page.waitForSelector('.session-page .quiet:has-text("Its client is away")');
    const address = page.url();
    await page.reload();
    await page.waitForSelector('.life-away');
    expect(page.url()).toBe(address);
  });

  it('still shows a process that the server has let go of', async () => {
    await using short = await ConsoleServer.start(['--session-ttl-ms', '50']);
    const agent = await short.agent('short-lived');
    await agent.run('echo what was said; exit 5');
    await agent.close();
    const late = await (await server.browser()).newPage();
    await late.goto(await short.newAddress());
    await late.waitForSelector('.session-ended:has-text("short-lived")');
    await late.click('.process-item:has-text("what was said")');
    await late.waitForFunction(() =>
      document.querySelector('.xterm-rows')?.textContent.includes('what was said'),
    );
    await late.waitForSelector('.process-item[aria-selected=true]:has-text("exit 5")');
    expect(await late.locator('.stop-button').count()).toBe(0);
    await late.close();
  });

  it('lets another tab in that has the link of a moment and no ticket', async () => {
    const agent = await server.agent('shared');
    await agent.run('echo for two tabs');
    await open('for two tabs');
    const second = await (await server.browser()).newPage();
    await second.goto(page.url());
    await second.waitForSelector('.link-open');
    await second.waitForFunction(() =>
      document.querySelector('.xterm-rows')?.textContent.includes('for two tabs'),
    );
    // It has a ticket of its own by now, and is let in again by itself.
    await second.reload();
    await second.waitForSelector('.link-open');
    await page.waitForSelector('.link-open');
    await second.close();
    await page.click('.top-links >> text=Journal');
    await page.waitForSelector('.event-text:has-text("another tab of the console was let in")');
  });

  it('keeps a terminal behind other tabs, and goes where a line of the output leads', async () => {
    const agent = await server.agent('keeper');
    const command = await agent.spawn(
      'echo one; sleep 0.3; echo two; sleep 0.3; echo three; sleep 60 # kept',
      {
        tty: true,
      },
    );
    await command.waitFor('three');
    await open('# kept');
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent.includes('three'));
    await page.evaluate(() => document.querySelector('.xterm')?.setAttribute('data-same', 'yes'));
    await tab('Output');
    await page.click('.line:has-text("one") .line-moment');
    await page.waitForSelector('.xterm[data-same=yes]');
    await page.waitForFunction(() => {
      const text = document.querySelector('.xterm-rows')?.textContent ?? '';
      return text.includes('one') && !text.includes('three');
    });
    // Behind another tab no key reaches its slider.
    await tab('Events');
    await rest();
    await page.keyboard.press('End');
    await tab('Terminal');
    expect(await page.locator('.live-button').getAttribute('aria-pressed')).toBe('false');
    await rest();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent.includes('three'));
    await command.stop();
  });

  it('can be read in both themes, and every control has a name, on every screen', async () => {
    mkdirSync(join(server.folder, 'files'), { recursive: true });
    writeFileSync(join(server.folder, 'files', 'a.txt'), 'hello\n');
    const agent = await server.agent('reader');
    const cwd = join(server.folder, 'files');
    await agent.run('echo x > /etc/screens-test', { cwd, sandbox: workspaceWrite() });
    await agent.run(['echo', '--token=abcdef123456']);
    const asked = agent.approvals.ask({ title: 'May I?', argv: ['rm', 'x'], reason: 'because' });
    const problems: string[] = [];
    const look = async (screen: string): Promise<void> => {
      const found = [...(await faintTexts(page)), ...(await namelessControls(page))];
      problems.push(...found.map((problem) => `${screen}: ${problem}`));
    };
    for (const theme of ['first', 'other']) {
      await page.click('.brand');
      await page.waitForSelector('.overview');
      await look(`overview, ${theme}`);
      await page.click('.session-open:has-text("reader")');
      await page.waitForSelector('.session-row');
      await look(`session, ${theme}`);
      await open('/etc/screens-test');
      await page.waitForSelector('.change');
      for (const name of ['Terminal', 'Output', 'Tree', 'Policy', 'Files', 'Events']) {
        await tab(name);
        if (name === 'Policy') {
          await page.click('.what-if button');
          await page.waitForSelector('.decision');
        }
        if (name === 'Files') {
          await page.click('.files-list button');
          await page.waitForSelector('.file-view');
        }
        await look(`${name}, ${theme}`);
      }
      await page.click('.top-links >> text=Approvals');
      await page.waitForSelector('.approval');
      await look(`approvals, ${theme}`);
      await rest();
      await page.keyboard.press('?');
      await page.waitForSelector('.dialog');
      await look(`help, ${theme}`);
      await page.keyboard.press('Escape');
      await page.waitForSelector('.dialog', { state: 'detached' });
      await rest();
      await page.keyboard.press('t');
    }
    expect(problems).toEqual([]);
    await page.click('.choice-deny');
    expect(await asked).toMatchObject({ decision: 'deny' });
  });

  it('shows hostile names as what they are, on every screen', async () => {
    const agent = await server.agent(`agent${HOSTILE}`);
    const folder = join(server.folder, `dir\u202e<b>\u001b[2J`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file\u202etxt.<i>`), `\u202eline <script>1</script>\u001b]52;c;eA==\u0007`);
    await agent.run(['echo', HOSTILE], { cwd: folder, sandbox: workspaceWrite() });
    const asked = agent.approvals.ask({
      title: HOSTILE,
      argv: [HOSTILE],
      reason: HOSTILE,
      sentences: [HOSTILE],
      choices: [{ id: '"><b>', label: HOSTILE }],
    });
    const item = '.process-item:has-text("onerror")';
    await page.click(item);
    await page.waitForSelector('[data-ready=true]');
    const check = async (): Promise<void> => {
      const seen = await page.evaluate(() => ({
        // The terminal behind the other tabs is not shown.
        text: [...document.querySelectorAll('#app :not(.xterm, .xterm *)')]
          .flatMap(({ childNodes }) => [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
          .map(({ textContent }) => textContent)
          .join(' '),
        labels: [...document.querySelectorAll('[aria-label], [title]')]
          .map((element) => `${element.getAttribute('aria-label')} ${element.getAttribute('title')}`)
          .join(' '),
        markup: document.querySelectorAll('#app img, #app b, #app i, #app script').length,
        width: document.documentElement.scrollWidth - innerWidth,
      }));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(`${seen.text} ${seen.labels}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b\u0007]/);
      expect([seen.markup, seen.width]).toEqual([0, 0]);
    };
    for (const name of ['Output', 'Tree', 'Policy', 'Files', 'Events']) {
      await tab(name);
      if (name === 'Files') {
        await page.click('.files-list button');
        await page.waitForSelector('.file-view');
      }
      await check();
    }
    for (const button of ['Approvals', 'Journal']) {
      await page.click(`.top-links >> text=${button}`);
      await check();
    }
    await page.click('.brand');
    await check();
    await page.click('.session-open:has-text("onerror")');
    await page.waitForSelector('.session-row');
    await check();
    expect(await page.title()).toBe('exec-server console');
    await page.click('.top-links >> text=Approvals');
    await page.click('.approval .choices button');
    expect(await asked).toMatchObject({ decided: true, decision: '"><b>' });
  });

  it('made no mistake of its own', () => {
    expect(server.pageErrors).toEqual([]);
  });
});
