import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeFifo, setUp } from './support/fs-fixture.js';

describe('fs/remove', () => {
  it('removes a tree and never what a link leads to', async () => {
    const { client, at, directory } = await setUp();
    mkdirSync(at('tree/deep/er'), { recursive: true });
    mkdirSync(at('kept'));
    writeFileSync(at('kept/file'), '');
    symlinkSync('../../kept', at('tree/deep/link'));
    symlinkSync('kept', at('link'));
    makeFifo(at('tree/fifo'));
    writeFileSync(Buffer.concat([Buffer.from(`${at('tree')}/`), Buffer.from([0xff])]), '');
    expect((await client.refusal('fs/remove', { path: at('tree'), recursive: false })).message).toMatch(
      /os error 39/,
    );
    await client.call('fs/remove', { path: at('tree') });
    await client.call('fs/remove', { path: at('link') });
    expect(readdirSync(directory)).toEqual(['kept']);
    expect(readdirSync(at('kept'))).toEqual(['file']);
  });

  it('takes what is missing as removed, unless told not to force', async () => {
    const { client, at } = await setUp();
    await client.call('fs/remove', { path: at('missing') });
    expect((await client.refusal('fs/remove', { path: at('missing'), force: false })).code).toBe(-32004);
  });

  it('does not remove the root directory', async () => {
    const { client } = await setUp();
    expect(await client.refusal('fs/remove', { path: '/' })).toEqual({
      code: -32600,
      message: 'fs/remove does not remove the root directory',
    });
  });

  it('removes a very deep tree', async () => {
    const { client, at, directory } = await setUp();
    const depth = 400;
    mkdirSync(at(Array.from({ length: depth }, () => 'd').join('/')), { recursive: true });
    await client.call('fs/remove', { path: at('d') });
    expect(readdirSync(directory)).toEqual([]);
  });
});
