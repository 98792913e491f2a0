// Discarded output: its descriptors are closed once, its end is told, and no other descriptor is touched.
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LaunchedProcess, launchers } from './support/launcher-under-test.js';
import { closedPipe, collect, pty, specOf, until } from './support/run-command.js';

const discard = ({ outputs }: LaunchedProcess): void => {
  for (const output of outputs) output.discard();
};

const kinds = launchers.flatMap(([kind, create]) => [
  [`${kind}, a pipe`, create, closedPipe] as const,
  [`${kind}, a terminal`, create, pty] as const,
]);

describe.each(kinds)('output that is discarded (%s)', (_name, create, io) => {
  it('ends once, however often it is discarded', async () => {
    const launched = await create().launch(specOf(['sleep', '60'], { io }));
    let ends = 0;
    for (const output of launched.outputs) {
      output.start(
        () => {},
        () => {
          ends += 1;
        },
      );
    }
    launched.killTree();
    await launched.treeGone;
    discard(launched);
    discard(launched);
    await until(() => ends === launched.outputs.length, 'every output has ended');
    discard(launched);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ends).toBe(launched.outputs.length);
  });

  it('closes no descriptor of others when it was never started', async () => {
    const launched = await create().launch(specOf(['true'], { io }));
    await launched.treeGone;
    discard(launched);
    const others = Array.from({ length: 8 }, () => openSync('/dev/null', 'r'));
    onTestFinished(() => {
      for (const fd of others) closeSync(fd);
    });
    discard(launched);
    expect(others.map((fd) => fstatSync(fd).isCharacterDevice())).toEqual(others.map(() => true));
  });

  it('ends also when all that came is held for a reader who has paused', async () => {
    const launched = await create().launch(specOf(['echo', 'held'], { io }));
    const output = collect(launched);
    for (const stream of launched.outputs) stream.pause();
    await launched.exited;
    await new Promise((resolve) => setTimeout(resolve, 50));
    discard(launched);
    await output.ended;
  });
});

it.each(launchers)(
  'input for a discarded terminal goes into no file that has its number (%s)',
  async (_kind, create) => {
    const folder = mkdtempSync(join(tmpdir(), 'discard-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const launched = await create().launch(specOf(['sleep', '60'], { io: pty }));
    const output = collect(launched);
    discard(launched);
    const files = Array.from({ length: 8 }, (_, index) => join(folder, String(index)));
    const fds = files.map((file) => openSync(file, 'w'));
    await launched.input?.write(Buffer.from('keys')).catch(() => {}); // the terminal may be gone already, or not yet
    launched.killTree();
    await Promise.all([launched.treeGone, output.ended]);
    for (const fd of fds) closeSync(fd);
    expect(files.map((file) => readFileSync(file, 'utf8')).join('')).toBe('');
  },
);
