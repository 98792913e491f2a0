// Takes the pictures of docs/console.md: `npm run pictures`, after a build. Three agents that work on a shop.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { workspaceWrite } from '@codex/sandbox';
import { ConsoleServer } from './console-server.js';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'console');
const TESTS = String.raw`printf '\033[1m RUN \033[0m the shop\r\n\r\n'; i=1
while [ $i -le 12 ]; do printf ' \033[32m✓\033[0m cart.test.ts > adds item %s \033[90m%sms\033[0m\r\n' $i $((i*3)); i=$((i+1)); sleep 0.08; done
printf ' \033[31m✗\033[0m checkout.test.ts > rounds totals\r\n   \033[31mAssertionError: expected 41 to be 42\033[0m\r\n\r\n\033[41m FAIL \033[0m 1 of 13, watching for changes\r\n'; sleep 120`;

await using server = await ConsoleServer.start();
const cwd = '/tmp/shop';
mkdirSync(join(cwd, 'src'), { recursive: true });
writeFileSync(join(cwd, 'run-tests.sh'), TESTS);
writeFileSync(
  join(cwd, 'src', 'cart.ts'),
  'export const total = (items: number[]) => items.reduce((a, b) => a + b, 0);\n',
);

const codex = await server.agent('codex-tui');
const nightly = await server.agent('nightly-review');
const release = await server.agent('release-bot');
await codex.run('git --version', { cwd });
await codex.run('ls -la src', { cwd });
await release.run('sleep 0.6; echo tagged v2.4.0', { cwd });
// Nothing happens for a while: the timeline folds it.
await delay(2500);
await codex.run('sleep 0.4; echo built', { cwd, sandbox: workspaceWrite() });
await codex.spawn('sh run-tests.sh', { cwd, tty: { rows: 22, cols: 88 } });
await codex.spawn('PS1="shop> " sh -i', { cwd, tty: { rows: 18, cols: 88 } });
await nightly.run('echo "debug = true" > /etc/shop.conf', { cwd, sandbox: workspaceWrite() });
await nightly.run('echo deploy --token=abcdef12345 staging; sleep 0.5', { cwd });
await nightly.run('sleep 0.3; exit 3', { cwd });
await nightly.run('(setsid sleep 120 & sleep 121 &) >/dev/null 2>&1; echo servers started', { cwd });
// What it leaves behind is why the server waits for it.
(await release.spawn('sleep 120; echo published', { cwd })).detach();
await release.close();

const page = await server.openConsole(['--grant', 'files', 'approve', 'type']);
await page.setViewportSize({ width: 1180, height: 740 });
const take = (name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) });
const open = async (text: string): Promise<void> => {
  await page.click(`.process-item:has-text("${text}")`);
  await page.waitForSelector('[data-ready=true]');
};
const shown = async (selector: string): Promise<void> => {
  await page.waitForSelector(selector);
  await page.mouse.move(700, 735);
  await page.evaluate('document.activeElement.blur()');
  // Drawn with the next beat of the clock.
  await page.waitForTimeout(700);
};
const typing = async (): Promise<void> => {
  await open('sh -i');
  await page.click('.typing-bar button');
  await page.keyboard.type('wc -l src/cart.ts');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(700);
};
/** As the browser does it, with what the clipboard holds. */
const pasting = async (): Promise<void> => {
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'cd src\necho "export const tax = 0.19;" >> cart.ts\n');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('.xterm-helper-textarea')?.dispatchEvent(event);
  });
  await page.waitForSelector('.dialog-paste');
  await page.waitForTimeout(300);
};
for (const theme of ['light', 'dark']) {
  await page.click('.brand');
  await shown('.look-item');
  await take(`overview-${theme}`);
  await page.click('.session-open:has-text("release-bot")');
  await shown('.life-away');
  await take(`session-${theme}`);
  await open('run-tests');
  await shown('.xterm-rows');
  await take(`terminal-${theme}`);
  await typing();
  await take(`typing-${theme}`);
  await pasting();
  await take(`paste-${theme}`);
  await page.click('text=Do not paste');
  await page.click('.typing-on');
  await open('servers started');
  await page.click('role=tab[name="Tree"]');
  await shown('.tree-table td');
  await take(`tree-${theme}`);
  await open('/etc/shop.conf');
  await page.click('role=tab[name="Policy"]');
  await page.waitForSelector('.policy-tree');
  await page.click('.what-if button');
  await page.waitForSelector('.decision');
  await page.evaluate("document.querySelector('.policy-tab').scrollTop = 0");
  await shown('.policy-tab');
  await take(`denial-${theme}`);
  await open('echo built');
  await page.click('role=tab[name="Policy"]');
  await page.selectOption('.policy-compare select', 'read-only');
  await page.waitForSelector('.compare-table');
  await page.evaluate("document.querySelector('.policy-compare').scrollIntoView()");
  await shown('.compare-table');
  await take(`policies-${theme}`);
  await page.keyboard.press('t');
}
const asked = nightly.approvals.ask({
  title: 'Push the release branch?',
  argv: ['git', 'push', 'origin', 'release/2.4'],
  cwd,
  reason: 'The review found nothing, and the tests pass.',
  sentences: ['Network: github.com', 'Write: /tmp/shop/.git'],
});
await page.setViewportSize({ width: 390, height: 720 });
await page.keyboard.press('a');
await shown('.approval');
await take('phone-approval');
await page.click('.choice-deny');
await asked;
await page.keyboard.press('g');
await shown('.look-item');
await take('phone-overview');
await open('run-tests');
await shown('.xterm-rows');
await take('phone-terminal');
