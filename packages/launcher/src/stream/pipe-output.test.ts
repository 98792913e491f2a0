// What a pipe whose writers are gone still holds. That a pipe with writers is read is shown with real commands (tests/integration).
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PipeOutput } from './pipe-output.js';

function makePipe(): { reader: number; writer: number } {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(file, constants.O_WRONLY) };
}

function start(output: PipeOutput, onData: (text: string) => void = () => {}) {
  const seen: string[] = [];
  const ended = new Promise<void>((resolve) =>
    output.start(
      (block) => {
        seen.push(block.toString());
        onData(block.toString());
      },
      () => {
        seen.push('<end>');
        resolve();
      },
    ),
  );
  return { seen, ended };
}

describe.skipIf(process.platform === 'win32')('a pipe that its writers have left', () => {
  it('is read to its end, after the caller has gone on', async () => {
    const { reader, writer } = makePipe();
    writeSync(writer, 'all of it');
    closeSync(writer);
    const { seen, ended } = start(new PipeOutput('stdout', reader, () => true));
    expect(seen).toEqual([]);
    await ended;
    expect(seen).toEqual(['all of it', '<end>']);
  });

  it('is read on when somebody else holds it', async () => {
    const { reader, writer } = makePipe();
    writeSync(writer, 'first');
    const { seen, ended } = start(new PipeOutput('stdout', reader, () => true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toEqual(['first']);
    writeSync(writer, 'second');
    closeSync(writer);
    await ended;
    expect(seen).toEqual(['first', 'second', '<end>']);
  });

  it('comes in turns when somebody else goes on writing', async () => {
    const { reader, writer } = makePipe();
    const block = 'x'.repeat(32 * 1024);
    writeSync(writer, block);
    let blocks = 1;
    let isNextTurn = false;
    const output = new PipeOutput('stdout', reader, () => true);
    const { ended } = start(output, () => {
      if (blocks === 500 || isNextTurn) return;
      blocks += 1;
      writeSync(writer, block);
    });
    setImmediate(() => {
      isNextTurn = true;
      closeSync(writer);
    });
    await ended;
    expect(blocks).toBeGreaterThan(10);
    expect(blocks).toBeLessThan(200);
  });

  it('keeps what is not wanted yet', async () => {
    const { reader, writer } = makePipe();
    writeSync(writer, 'late');
    closeSync(writer);
    const output = new PipeOutput('stdout', reader, () => true);
    const { seen, ended } = start(output);
    output.pause();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toEqual([]);
    output.resume();
    await ended;
    expect(seen).toEqual(['late', '<end>']);
  });

  it('ends without a word when it is discarded', async () => {
    const { reader, writer } = makePipe();
    writeSync(writer, 'unwanted');
    closeSync(writer);
    const output = new PipeOutput('stdout', reader, () => true);
    const { seen, ended } = start(output);
    output.discard();
    await ended;
    expect(seen).toEqual(['<end>']);
  });
});
