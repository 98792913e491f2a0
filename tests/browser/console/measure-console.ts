// `npm run bench:console`: the budgets of the console that are times and memory, measured on the built program in a real
// Chromium. It ends with 1 where one is missed; what the machine does beside it counts, so that it is no part of `npm test`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { ExecObserver } from '@codex/exec-client';
import type { Page } from 'playwright-core';
import { ConsoleServer } from './console-server.js';
import { frames, median } from './frames.js';
import { longestFrames } from './slow-output-frames.js';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'apps', 'codex', 'dist', 'codex.js');
const PROCESSES = 10_000;
const PACED = `let n = 0; const line = 'a line of some length that a build tool might print, with a number 000000\\n'.repeat(2800);
const timer = setInterval(() => { process.stdout.write(line); if (++n < 500) return; clearInterval(timer); process.stdout.write('all written\\n'); }, 10);`;

interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly budget?: number;
}

const rows: Row[] = [];
const note = (row: Row): void => {
  rows.push(row);
  const { what, value, unit, budget } = row;
  const verdict =
    budget === undefined ? '' : value <= budget ? `  (at most ${budget})` : `  MISSED: at most ${budget}`;
  process.stdout.write(`${what}: ${value.toFixed(unit === 'MiB' ? 2 : 0)} ${unit}${verdict}\n`);
};
const server = await ConsoleServer.start([
  '--max-retained-processes-per-session',
  String(PROCESSES),
  '--exited-process-retention-ms',
  '600000',
]);
try {
  tellLoad();
  await measure();
  tellLoad();
} finally {
  await server[Symbol.asyncDispose]();
}
process.exitCode = rows.some(({ value, budget }) => budget !== undefined && value > budget) ? 1 : 0;

/** Frames are the first to suffer from what else the machine does. */
function tellLoad(): void {
  process.stdout.write(`load average of the last minute: ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
}

async function measure(): Promise<void> {
  note({ what: 'start-up, with --console beyond without', value: await startUpCost(), unit: 'ms' });
  note({ what: 'one idle observer, in the server', value: await observerMemory(), unit: 'MiB', budget: 1 });
  const page = await server.openConsole();
  // What tsx puts into functions that are given to the page.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.setViewportSize({ width: 1360, height: 860 });
  const opened: number[] = [];
  for (let index = 0; index < 7; index++) opened.push(await reopen(page));
  note({
    what: 'from the address to a page that can be used',
    value: median(opened),
    unit: 'ms',
    budget: 300,
  });

  const agent = await server.agent('bench');
  const paced = await agent.spawn(['node', '-e', PACED], { stdin: 'none', capture: { maxBytes: 1024 } });
  await openProcess(page, 'setInterval');
  const while20 = frames(page, 'bench20');
  await paced.wait();
  await page.waitForFunction(() =>
    document.querySelector('.xterm-rows')?.textContent.includes('all written'),
  );
  const at20 = await while20();
  note({
    what: '20 MB/s in a watched terminal, longest frame',
    value: at20.longest,
    unit: 'ms',
    budget: 100,
  });
  note({ what: '20 MB/s in a watched terminal, median frame', value: at20.median, unit: 'ms' });
  note({
    what: '20 MB/s in a watched terminal, processor time of the longest task',
    value: at20.task,
    unit: 'ms',
  });
  const lost = await page
    .locator('.gap-mark')
    .first()
    .getAttribute('title', { timeout: 200 })
    .catch(() => '');
  process.stdout.write(lost === '' || lost === null ? 'nothing of it was skipped\n' : `of it, ${lost}\n`);

  const lines = await agent.spawn(['node', '-e', `/* lines */ ${PACED}`], {
    stdin: 'none',
    capture: { maxBytes: 1024 },
  });
  await openProcess(page, '/* lines */');
  await page.keyboard.press('2');
  await page.waitForSelector('.output-tab .line');
  const whileLines = frames(page, 'benchLines');
  await lines.wait();
  await page.waitForSelector('.line-text:has-text("all written")');
  const atLines = await whileLines();
  note({ what: '20 MB/s in the output tab, longest frame', value: atLines.longest, unit: 'ms', budget: 100 });
  note({ what: '20 MB/s in the output tab, median frame', value: atLines.median, unit: 'ms' });
  note({
    what: '20 MB/s in the output tab, processor time of the longest task',
    value: atLines.task,
    unit: 'ms',
  });
  await page.keyboard.press('1');

  const yes = await agent.spawn('yes', { tty: true, capture: { maxBytes: 1024 } });
  await openProcess(page, 'yes');
  const whileYes = frames(page, 'benchYes');
  await page.waitForTimeout(2000);
  const atYes = await whileYes();
  note({ what: '`yes` in a watched terminal, longest frame', value: atYes.longest, unit: 'ms', budget: 100 });
  await measureResponses(page);
  await page.keyboard.press('x');
  await page.waitForTimeout(300);
  const button = await page.locator('text=Stop the tree').boundingBox();
  const begin = performance.now();
  // As a hand does it: without what the tool waits for before it clicks.
  const clicked = page.mouse.click((button?.x ?? 0) + 9, (button?.y ?? 0) + 9);
  await yes.wait();
  note({ what: '`yes`, from Stop to its end', value: performance.now() - begin, unit: 'ms', budget: 200 });
  await clicked;

  for (const { name, longest, task } of await longestFrames(page, agent, server.folder)) {
    note({ what: `${name}, longest frame`, value: longest, unit: 'ms' });
    note({ what: `${name}, processor time of the longest task`, value: task, unit: 'ms' });
  }

  for (let done = 0; done < PROCESSES; done += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => agent.run(['true', String(done + index)])));
  await page.click('.brand');
  await page.waitForSelector(`.process-item:has-text("true ${PROCESSES - 1}")`);
  const whileScrolling = frames(page, 'benchScroll');
  await page.evaluate(async () => {
    const list = document.querySelector('.side .virtual');
    if (list === null) return;
    for (let step = 0; step < 120; step++) {
      list.scrollTop += 1500;
      await new Promise(requestAnimationFrame);
    }
  });
  const scrolled = await whileScrolling();
  note({
    what: `${PROCESSES} processes, scrolling, median frame`,
    value: scrolled.median,
    unit: 'ms',
    budget: 17,
  });
  note({
    what: `${PROCESSES} processes, scrolling, longest frame`,
    value: scrolled.longest,
    unit: 'ms',
    budget: 100,
  });
  const searched = performance.now();
  await page.fill('#search', 'true 4711');
  await page.waitForSelector('.process-item:has-text("true 4711")');
  note({ what: `${PROCESSES} processes, search`, value: performance.now() - searched, unit: 'ms' });
}

/** While `yes` fills the terminal: whoever uses the page does not wait for it. */
async function measureResponses(page: Page): Promise<void> {
  const scrubs: number[] = [];
  for (let round = 0; round < 7; round++) {
    scrubs.push(
      await page.evaluate(
        async (share) => {
          const slider = document.querySelector<HTMLInputElement>('.track input');
          if (slider === null) return 0;
          const [min, max] = [Number(slider.min), Number(slider.max)];
          const wanted = String(Math.floor(min + (max - min) * share));
          const begin = performance.now();
          slider.value = wanted;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          while (document.querySelector<HTMLElement>('.terminal-frame')?.dataset['at'] !== wanted)
            await new Promise(requestAnimationFrame);
          return performance.now() - begin;
        },
        0.3 + round * 0.08,
      ),
    );
  }
  note({ what: '`yes`, from the slider to the moment shown', value: median(scrubs), unit: 'ms' });
  const tabs: number[] = [];
  for (const [key, selector] of [
    ['2', '.output-tab .line'],
    ['4', '.policy-tab'],
    ['2', '.output-tab .line'],
    ['6', '.event-list'],
  ] as const)
    tabs.push(await keyTo(page, key, selector));
  note({
    what: '`yes`, from a key to the tab it opens, the slowest',
    value: Math.max(...tabs),
    unit: 'ms',
    budget: 500,
  });
  const back = await keyTo(page, '1', '[data-ready=true]');
  note({ what: '`yes`, from a key to the terminal, up to date', value: back, unit: 'ms', budget: 500 });
}

async function keyTo(page: Page, key: string, selector: string): Promise<number> {
  const begin = performance.now();
  await page.keyboard.press(key);
  await page.waitForSelector(selector);
  return performance.now() - begin;
}

async function openProcess(page: Page, text: string): Promise<void> {
  await page.click(`.process-item:has-text("${text}")`);
  await page.waitForSelector('[data-ready=true]');
}

async function reopen(page: Page): Promise<number> {
  await page.reload();
  await page.waitForSelector('.link-open');
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return performance.now() - (navigation?.startTime ?? 0);
  });
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function observerMemory(): Promise<number> {
  const pid = server.program.child.pid ?? 0;
  // The code that serves observers is loaded with the first of them, and is not what one costs.
  const first = await ExecObserver.connect(server.url);
  await first.sessions();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = residentMiB(pid);
  const observers = await Promise.all(Array.from({ length: 12 }, () => ExecObserver.connect(server.url)));
  for (const observer of observers) await observer.sessions();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = residentMiB(pid);
  for (const observer of [first, ...observers]) await observer.close();
  return (after - before) / observers.length;
}

async function startUpCost(): Promise<number> {
  const times: { plain: number[]; console: number[] } = { plain: [], console: [] };
  for (let round = 0; round < 9; round++) {
    times.plain.push(await startUp([]));
    times.console.push(await startUp(['--console']));
  }
  return median(times.console) - median(times.plain);
}

/** To the printed address. */
async function startUp(flags: readonly string[]): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [PROGRAM, '--listen', 'ws://127.0.0.1:0', '--quiet', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const ms = performance.now() - begin;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return ms;
}
