// The supervisor reads the terminal and passes its output on: what happens when the server does not take it, or the
// supervisor dies.
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LaunchedProcess, nativeLauncher } from '../support/launcher-under-test.js';
import { collect, pty, specOf, until } from '../support/run-command.js';

const LINES = 8_600;
const EXPECTED = Array.from({ length: LINES }, (_, index) => `${100_000 + index}\r\n`).join('');
const PRINT = `seq 100000 ${100_000 + LINES - 1}`;

/** Writes all that pipe and terminal hold between them, which differs from run to run, and tells how much that was. */
const FILL = `
import os, sys, time
os.set_blocking(1, False)
text = b''.join(b'%d;' % number for number in range(100000, 200000))
total = refused = 0
while refused < 5:
    try:
        total += os.write(1, text[total:total + 4000])
        refused = 0
    except BlockingIOError:
        refused += 1
        time.sleep(0.02)
with open(sys.argv[1] + '.part', 'w') as file: file.write(str(total))
os.rename(sys.argv[1] + '.part', sys.argv[1])
`;
const FILLING = Array.from({ length: 100_000 }, (_, index) => `${100_000 + index};`).join('');

const launch = (script: string): Promise<LaunchedProcess> =>
  nativeLauncher().launch(specOf(['bash', '-c', script], { io: pty }));

/** Output is not read until `begin`. */
async function launchFilling(afterwards = ':') {
  const folder = mkdtempSync(join(tmpdir(), 'fill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'total');
  const launched = await launch(`stty raw -echo; python3 -c "${FILL}" ${file}; ${afterwards}`);
  const output = collectLater(launched);
  const written = async (): Promise<string> => {
    await until(() => existsSync(file), 'pipe and terminal are full');
    return FILLING.slice(0, Number(readFileSync(file, 'utf8')));
  };
  return { launched, output, written };
}

function collectLater(launched: LaunchedProcess) {
  const output = collect(launched);
  for (const stream of launched.outputs) stream.pause();
  const begin = (): void => {
    for (const stream of launched.outputs) stream.resume();
  };
  return { ...output, begin };
}

function supervisorOf({ pid }: LaunchedProcess): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '');
  return Number(afterName.split(' ')[1]);
}

/** What keeps Node's only thread from reading. */
const keepBusy = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A process outside the tree has the terminal open. */
async function holdTerminal(output: { text(): string }): Promise<() => void> {
  await until(() => output.text().includes('\n'), 'the terminal has told its name');
  const fd = openSync(output.text().trim(), constants.O_RDWR | constants.O_NOCTTY);
  let isOpen = true;
  const letGo = (): void => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  onTestFinished(letGo);
  return letGo;
}

/** A full pipe, whose pages are not all full. The terminal's own buffer dies with its supervisor. */
const PASSED_ON_BYTES = 40 * 1024;

describe('output of a terminal', () => {
  it('comes before the exit, however busy its reader is', async () => {
    const launches = Array.from({ length: 24 }, async () => {
      const launched = await launch(`${PRINT}; exit 4`);
      const output = collect(launched);
      keepBusy(5);
      expect(await launched.exited).toEqual({ code: 4, signal: null });
      // What is in the pipe by then is read in the next turn.
      await turn();
      await turn();
      const early = output.text().length;
      await output.ended;
      expect(output.text() === EXPECTED).toBe(true);
      return early;
    });
    expect(await Promise.all(launches)).toEqual(launches.map(() => EXPECTED.length));
  });

  it('is kept for a slow reader when the command and its tree are gone, and holds back neither', async () => {
    const { launched, output, written } = await launchFilling();
    expect(await launched.exited).toEqual({ code: 0, signal: null });
    await launched.treeGone;
    expect(output.text()).toBe('');
    output.begin();
    await output.ended;
    expect(output.text() === (await written())).toBe(true);
  });

  it('outlives a supervisor that is killed while the command runs, as far as it was passed on', async () => {
    const { launched, output, written } = await launchFilling('sleep 60');
    const expected = await written();
    process.kill(supervisorOf(launched), 'SIGKILL');
    expect(await launched.exited).toMatchObject({ supervisorLost: true });
    output.begin();
    await output.ended;
    expect(output.text().length).toBeGreaterThan(PASSED_ON_BYTES);
    expect(expected.startsWith(output.text())).toBe(true);
  });

  it('outlives a supervisor that is killed when the tree is gone, as far as it was passed on', async () => {
    const { launched, output, written } = await launchFilling();
    const supervisor = supervisorOf(launched);
    expect(await launched.exited).toEqual({ code: 0, signal: null });
    await launched.treeGone;
    process.kill(supervisor, 'SIGKILL');
    output.begin();
    await output.ended;
    expect(output.text().length).toBeGreaterThan(PASSED_ON_BYTES);
    expect((await written()).startsWith(output.text())).toBe(true);
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

describe('a terminal that somebody outside the tree holds', () => {
  it('is waited for without heat, also by a writer', async () => {
    const launched = await launch('stty raw -echo; tty; exec sleep 60');
    const output = collect(launched);
    const letGo = await holdTerminal(output);
    const written = launched.input?.write(Buffer.alloc(256 * 1024, 'x'));
    launched.killTree();
    await launched.treeGone;
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
    letGo();
    await output.ended;
    await expect(written).rejects.toMatchObject({ code: 'EPIPE' });
  });

  it('is let go of when its output is discarded', async () => {
    const launched = await launch('tty; exec sleep 60');
    const output = collect(launched);
    const supervisor = supervisorOf(launched);
    await holdTerminal(output);
    launched.killTree();
    await launched.treeGone;
    for (const stream of launched.outputs) stream.discard();
    await output.ended;
    await until(() => !existsSync(`/proc/${supervisor}`), 'the supervisor is gone');
  });
});
