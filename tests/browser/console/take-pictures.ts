// Takes the pictures of docs/console.md: `npm run pictures`, after a build. Two agents that work on a shop.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
await codex.run('git --version', { cwd });
await codex.run('ls -la src', { cwd });
await codex.run('sleep 0.4; echo built', { cwd });
await codex.spawn('sh run-tests.sh', { cwd, tty: { rows: 22, cols: 88 } });
await nightly.run('echo "debug = true" > /etc/shop.conf', { cwd, sandbox: workspaceWrite() });
await nightly.run('echo deploy --token=abcdef12345 staging; sleep 0.5', { cwd });
await nightly.run('sleep 0.3; exit 3', { cwd });
await nightly.run('(sleep 120 &) >/dev/null; echo daemon started', { cwd });

const page = await server.openConsole();
await page.setViewportSize({ width: 1180, height: 740 });
const take = (name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) });
const open = async (text: string): Promise<void> => {
  await page.click(`.process-item:has-text("${text}")`);
  await page.waitForSelector('[data-ready=true]');
};
await page.waitForTimeout(2000);
for (const theme of ['light', 'dark']) {
  await page.click('.brand');
  await page.evaluate('document.activeElement.blur()');
  await page.waitForTimeout(300);
  await take(`overview-${theme}`);
  await open('run-tests');
  await page.waitForTimeout(700);
  await take(`terminal-${theme}`);
  await open('/etc/shop.conf');
  await page.keyboard.press('3');
  await page.waitForSelector('.policy-tree');
  await page.click('.what-if button');
  await page.waitForSelector('.decision');
  await take(`denial-${theme}`);
  await page.evaluate('document.activeElement.blur()');
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
await page.waitForSelector('.approval');
await take('phone-approval');
await page.click('.choice-deny');
await asked;
await page.keyboard.press('g');
await open('run-tests');
await page.waitForTimeout(500);
await take('phone-terminal');
