// Output: every byte, back-pressure, ends.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Launcher, launchers } from './support/launcher-under-test.js';
import { closedPipe, collect, pty, run, specOf, until } from './support/run-command.js';

const ROUNDS = process.env['SOAK'] ? 2000 : 200;

/** Writes `bytes` bytes that depend on their position, then exits at once. */
function numbersScript(bytes: number): string[] {
  return ['sh', '-c', `seq 1 ${bytes} | head -c ${bytes}`];
}

function numbers(bytes: number, lineEnd: string): string {
  let text = '';
  for (let i = 1; text.length < bytes; i += 1) text += `${i}\n`;
  return text.slice(0, bytes).replaceAll('\n', lineEnd);
}

function sha(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

describe.each(launchers)('output (%s)', (kind, create) => {
  it.each([
    ['pty', pty, '\r\n'],
    ['pipe', closedPipe, '\n'],
  ] as const)(
    `on a %s is complete in ${ROUNDS} short runs`,
    { timeout: 600_000 },
    async (_name, io, lineEnd) => {
      const launcher = create();
      const sizes = [1, 10, 4095, 4096, 4097, 20_000, 65_536, 70_001, 262_144];
      for (let round = 0; round < ROUNDS; round += 1) {
        const bytes = sizes[round % sizes.length] ?? 0;
        const outcome = await run(launcher, numbersScript(bytes), { io });
        const seen = outcome.stdout + outcome.pty;
        expect([round, seen.length, sha(seen)]).toEqual([
          round,
          numbers(bytes, lineEnd).length,
          sha(numbers(bytes, lineEnd)),
        ]);
      }
    },
  );

  it.each([
    ['pty', pty, '\r\n'],
    ['pipe', closedPipe, '\n'],
  ] as const)('of 3 MB on a %s is complete', async (_name, io, lineEnd) => {
    for (let round = 0; round < 8; round += 1) {
      const outcome = await run(create(), numbersScript(3_000_000), { io });
      expect(sha(outcome.stdout + outcome.pty)).toBe(sha(numbers(3_000_000, lineEnd)));
    }
  });

  it.each([
    ['pty', pty],
    ['pipe', closedPipe],
  ] as const)('on a %s stops while paused, and nothing is lost', async (_name, io) => {
    const launched = await create().launch(specOf(['sh', '-c', 'head -c 2000000 /dev/zero'], { io }));
    let received = 0;
    const output = launched.outputs[0];
    const rest = launched.outputs[1];
    const ended = new Promise<void>((resolve) => {
      output?.start((block) => {
        received += block.length;
        if (received < 300_000) return;
        output.pause();
      }, resolve);
    });
    rest?.start(
      () => {},
      () => {},
    );
    await until(() => received >= 300_000, 'the limit is reached');
    const atPause = received;
    let hasExited = false;
    void launched.exited.then(() => {
      hasExited = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(received).toBe(atPause);
    expect(hasExited).toBe(false); // the command waits for its reader
    const resumer = setInterval(() => output?.resume(), 1);
    await ended;
    clearInterval(resumer);
    expect(received).toBe(2_000_000);
    expect(await launched.exited).toEqual({ code: 0, signal: null });
  });

  it('is not read before start()', async () => {
    const launched = await create().launch(specOf(['sh', '-c', 'head -c 100000 /dev/zero; echo done >&2']));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const output = collect(launched);
    await launched.exited;
    await output.ended;
    expect(output.text('stdout').length).toBe(100_000);
    expect(output.text('stderr')).toBe('done\n');
  });

  it('of a command that has exited before start() is still there', async () => {
    const launched = await create().launch(specOf(['echo', 'quick']));
    await launched.exited;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const output = collect(launched);
    await output.ended;
    expect(output.text()).toBe('quick\n');
  });

  it('ends only when the last holder of the pipe has gone, while the exit is told at once', async () => {
    const launched = await create().launch(
      specOf(['sh', '-c', '(sleep 0.6; echo late) & echo early; exit 3']),
    );
    const output = collect(launched);
    let ended = false;
    void output.ended.then(() => {
      ended = true;
    });
    const before = performance.now();
    expect(await launched.exited).toEqual({ code: 3, signal: null });
    expect(performance.now() - before).toBeLessThan(400);
    expect(ended).toBe(false);
    await output.ended;
    expect(output.text()).toBe('early\nlate\n');
    await launched.treeGone;
  });

  it('keeps stdout and stderr apart', async () => {
    const outcome = await run(create(), ['sh', '-c', 'echo a; echo b >&2; echo c; echo d >&2']);
    expect([outcome.stdout, outcome.stderr]).toEqual(['a\nc\n', 'b\nd\n']);
  });

  it('of many commands at once stays apart', async () => {
    const launcher: Launcher = create();
    expect(launcher.kind).toBe(kind);
    const texts = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const io = index % 2 === 0 ? pty : closedPipe;
        const outcome = await run(launcher, ['sh', '-c', `for i in 1 2 3; do echo ${index}; done`], { io });
        return (outcome.stdout + outcome.pty).replaceAll('\r', '');
      }),
    );
    expect(texts).toEqual(Array.from({ length: 24 }, (_, index) => `${index}\n`.repeat(3)));
  });
});
