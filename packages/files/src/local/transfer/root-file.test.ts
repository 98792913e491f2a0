import { appendFileSync, mkdtempSync, rmSync, type Stats, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileCalls } from '../calls/file-calls.js';
import { readRootFile } from './root-file.js';

/** Does something to the file before each look at it, as a program beside the server does. */
class CallsBesideWriter extends FileCalls {
  readonly #beforeLook: (look: number) => void;
  #looks = 0;

  constructor(beforeLook: (look: number) => void) {
    super();
    this.#beforeLook = beforeLook;
  }

  override fstat(fd: number): Promise<Stats> {
    this.#beforeLook(++this.#looks);
    return super.fstat(fd);
  }
}

function file(contents: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'root-file-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'log');
  writeFileSync(path, contents);
  utimesSync(path, 1, 1);
  return path;
}

describe('a piece of a file', () => {
  it('that was seen between the time and the length of an append is read again', async () => {
    const path = file('first\n');
    const calls = new CallsBesideWriter((look) => {
      if (look === 2) utimesSync(path, 2, 2);
      if (look === 3) appendFileSync(path, 'second\n');
    });
    const { entries, bytes } = await readRootFile(calls, path, { exclude: [] });
    expect(entries).toMatchObject([{ size: 13, length: 13 }]);
    expect(Buffer.from(bytes).toString()).toBe('first\nsecond\n');
  });

  it('that is written in place all the time is refused', async () => {
    const path = file('first\n');
    const calls = new CallsBesideWriter((look) => utimesSync(path, look, look));
    await expect(readRootFile(calls, path, { exclude: [] })).rejects.toThrow(
      'the file was changed while it was read',
    );
  });
});
