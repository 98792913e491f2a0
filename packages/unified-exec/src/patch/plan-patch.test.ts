import { describe, expect, it } from 'vitest';
import { parsePatch } from './parse-patch.js';
import { planPatch } from './plan-patch.js';

const plan = (body: string, read: (path: string) => Promise<string>) =>
  planPatch(parsePatch(`*** Begin Patch\n${body}\n*** End Patch`).files, {
    cwd: '/project',
    read,
    locate: (path) => Promise.resolve(path),
  });

describe('the plan of a patch', () => {
  it('holds only so much of all files together', async () => {
    // One large file under many names would be as many copies in memory.
    const large = `one\n${'x'.repeat(15_000_000)}\n`;
    let reads = 0;
    const read = (): Promise<string> => {
      reads++;
      return Promise.resolve(large);
    };
    const body = Array.from({ length: 50 }, (_, index) => `*** Update File: ${index}\n@@\n-one\n+1`).join(
      '\n',
    );
    await expect(plan(body, read)).rejects.toThrow('larger than 64 MiB together');
    expect(reads).toBeLessThan(6);
  });

  it('of thousands of files is made in no time to speak of', async () => {
    const body = Array.from({ length: 100_000 }, (_, index) => `*** Delete File: ${index}`).join('\n');
    expect(await plan(body, () => Promise.resolve(''))).toHaveLength(100_000);
  });
});
