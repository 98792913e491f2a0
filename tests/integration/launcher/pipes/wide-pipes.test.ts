// The pipes of a command, and the one behind a terminal, hold what it writes at once, so that its reader is not woken for every few
// kilobytes; of very many commands only some have such pipes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { launchers } from '../support/launcher-under-test.js';
import { closedPipe, pty, specOf, until } from '../support/run-command.js';

const native = launchers.find(([kind]) => kind === 'native');

it.skipIf(native === undefined).each([
  ['of pipes', closedPipe],
  ['of a terminal', pty],
])('%s hold 256 KiB for some commands and the usual for the others', async (_of, io) => {
  const launcher = native?.[1]();
  if (launcher === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'wide-pipes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const marks = join(folder, 'marks');
  // Each command writes 200 kB to a reader that does not read, and leaves a mark where its pipe takes them.
  const write = `head -c 200000 /dev/zero; echo done >> ${marks}`;
  const launched = await Promise.all(
    Array.from({ length: 36 }, () => launcher.launch(specOf(['sh', '-c', `${write}; sleep 60`], { io }))),
  );
  const markCount = () => readFileSync(marks, { encoding: 'utf8', flag: 'a+' }).split('\n').length - 1;
  try {
    await until(() => markCount() >= 32, 'those with wide pipes have written');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(markCount()).toBe(32);
  } finally {
    for (const process of launched) {
      process.killTree();
      for (const output of process.outputs) output.discard();
    }
    await Promise.all(launched.map(({ treeGone }) => treeGone));
  }
  const after = await launcher.launch(specOf(['sh', '-c', write], { io }));
  expect((await after.exited).code).toBe(0);
  for (const output of after.outputs) output.discard();
});
