/** A granted descriptor is the command's alone: what it closes is closed, while the supervisor lives on. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { launchers } from './launcher-under-test.js';
import { collect, specOf, until } from './run-command.js';

function fifo(): { reader: number; writer: number } {
  const directory = mkdtempSync(join(tmpdir(), 'granted-'));
  const path = join(directory, 'fifo');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  rmSync(directory, { recursive: true });
  onTestFinished(() => closeSync(reader));
  return { reader, writer };
}

/** Undefined while somebody could still write and has not. */
function readNow(fd: number): string | undefined {
  const buffer = Buffer.alloc(64);
  try {
    return buffer.toString('latin1', 0, readSync(fd, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

it.each(launchers)('%s: a descriptor that the command closes is closed', async (_kind, launcher) => {
  const { reader, writer } = fifo();
  const script = 'echo here >&7; exec 7>&-; echo closed; exec sleep 60';
  const launched = await launcher().launch(
    specOf(['sh', '-c', script], { inheritFds: [{ fd: writer, as: 7 }] }),
  );
  closeSync(writer);
  onTestFinished(async () => {
    launched.killTree();
    await launched.treeGone;
  });
  const output = collect(launched);
  await until(() => output.text() === 'closed\n', 'the command has closed its end');
  expect(readNow(reader)).toBe('here\n');
  expect(readNow(reader)).toBe(''); // the end: nobody has it open
});
