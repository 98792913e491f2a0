// What stands where a download goes and is no file: it is not replaced, as an upload does not replace it.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

const folder = mkdtempSync(join(tmpdir(), 'download-targets-'));
const source = join(folder, 'source');
writeFileSync(source, 'text');
execFileSync('mkfifo', [join(folder, 'pipe')]);
symlinkSync('pipe', join(folder, 'link'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnEveryTarget('a download', (suite) => {
  it.each(['pipe', 'link'])('is refused by a pipe, also behind a link (%s)', async (name) => {
    const { fs } = await suite.connect();
    const target = join(folder, name);
    await expect(fs.download(source, target)).rejects.toMatchObject({
      code: 'fs.exists',
      message: expect.stringContaining(target),
    });
    expect(lstatSync(join(folder, 'pipe')).isFIFO()).toBe(true);
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['link', 'pipe', 'source']);
  });
});
