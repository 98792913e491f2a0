import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocalSource } from '../platform.js';
import { openSource } from './node-file-source.js';

async function opened(contents: string): Promise<{ path: string; source: LocalSource }> {
  const directory = mkdtempSync(join(tmpdir(), 'file-source-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'log');
  writeFileSync(path, contents);
  utimesSync(path, 1, 1);
  const source = await openSource(path);
  onTestFinished(() => source.close());
  return { path, source };
}

describe('a local file that was looked at between the time and the length of an append', () => {
  it('has only grown', async () => {
    const { path, source } = await opened('first\n');
    utimesSync(path, 2, 2);
    const changed = source.hasChanged();
    setImmediate(() => appendFileSync(path, 'second\n'));
    expect(await changed).toBe(false);
  });

  it('has changed when it is no longer a little later', async () => {
    const { path, source } = await opened('first\n');
    utimesSync(path, 2, 2);
    expect(await source.hasChanged()).toBe(true);
  });
});
