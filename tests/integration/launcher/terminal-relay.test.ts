/** The supervisor reads the terminal and passes its output on: what happens when nobody takes it, or the supervisor dies. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LaunchedProcess, nativeLauncher } from './launcher-under-test.js';
import { collect, processesWith, pty, specOf, uniqueSleep, until } from './run-command.js';

/** More than the pipe to Node holds (64 KiB), and less than pipe and terminal hold together. */
const LINES = 8_600;
const EXPECTED = Array.from({ length: LINES }, (_, index) => `${100_000 + index}\r\n`).join('');
const PRINT = `seq 100000 ${100_000 + LINES - 1}`;

const launch = (script: string): Promise<LaunchedProcess> =>
  nativeLauncher().launch(specOf(['bash', '-c', script], { io: pty }));

function collectLater(launched: LaunchedProcess) {
  const output = collect(launched);
  for (const stream of launched.outputs) stream.pause();
  const begin = (): void => {
    for (const stream of launched.outputs) stream.resume();
  };
  return { ...output, begin };
}

function parentOf(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '');
  return Number(afterName.split(' ')[1]);
}

describe('output of a terminal', () => {
  it('is kept for a slow reader when the command and its tree are gone, and holds back neither', async () => {
    const launched = await launch(PRINT);
    const output = collectLater(launched);
    expect(await launched.exited).toEqual({ code: 0, signal: null });
    await launched.treeGone;
    expect(output.text().length).toBeLessThan(EXPECTED.length);
    output.begin();
    await output.ended;
    expect(output.text() === EXPECTED).toBe(true);
  });

  it('outlives its supervisor, but for the few kilobytes that this one had in hand', async () => {
    const mark = uniqueSleep();
    const launched = await launch(`${PRINT}; sleep ${mark}; :`);
    const output = collectLater(launched);
    await until(
      () => processesWith(mark).length === 2,
      'everything is written, and the shell has begun to sleep',
    );
    process.kill(parentOf(launched.pid), 'SIGKILL');
    expect(await launched.exited).toMatchObject({ supervisorLost: true });
    output.begin();
    await output.ended;
    const text = output.text();
    const missing = EXPECTED.length - text.length;
    expect(missing).toBeLessThanOrEqual(4096);
    const cut = [...text].findIndex((character, index) => character !== EXPECTED[index]);
    expect(text.slice(cut) === EXPECTED.slice(cut + missing) || missing === 0).toBe(true);
  });

  it('that a background child goes on writing does not hold back the exit', async () => {
    const launched = await launch('trap "" HUP; yes & exit 3');
    let bytes = 0;
    const ended = new Promise<void>((resolve) =>
      launched.outputs[0]?.start((block) => {
        bytes += block.length;
      }, resolve),
    );
    expect(await launched.exited).toEqual({ code: 3, signal: null });
    await until(() => bytes > 4 * 1024 * 1024, 'the child is heard');
    launched.killTree();
    await Promise.all([launched.treeGone, ended]);
  });
});
