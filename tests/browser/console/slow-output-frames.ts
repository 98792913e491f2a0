// The longest frame while output is drawn that was made to be slow.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecServerClient } from '@codex/exec-client';
import type { Page } from 'playwright-core';
import { frames } from './frames.js';
import { SLOW_OUTPUT, seenAfter } from './slow-output.js';

export async function longestFrames(
  page: Page,
  agent: ExecServerClient,
  folder: string,
): Promise<{ readonly name: string; readonly longest: number; readonly task: number }[]> {
  const measured: { name: string; longest: number; task: number }[] = [];
  for (const [index, [name, output]] of Object.entries(SLOW_OUTPUT).entries()) {
    const file = join(folder, `slow-${index}`);
    writeFileSync(file, output + seenAfter(name));
    const title = `# slow ${index}.`;
    const command = await agent.spawn(['sh', '-c', `read go; cat ${file}; sleep 600 ${title}`], {
      tty: true,
      capture: { maxBytes: 1024 },
    });
    await page.click(`.process-item:has-text("${title}")`);
    await page.waitForSelector('[data-ready=true]');
    const counted = frames(page, `slow${index}`);
    await command.stdin.write('\n');
    await page.waitForFunction(
      (wanted) => document.querySelector('.xterm-rows')?.textContent.includes(wanted),
      `after: ${name}`,
      { timeout: 60_000 },
    );
    const { longest, task } = await counted();
    measured.push({ name, longest, task });
    await command.stop();
  }
  return measured;
}
