import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { base64, makeFifo, setUp } from './support/fs-fixture.js';

const atomic = { atomic: true };

describe('an atomic fs/writeFile', () => {
  it('puts a new file in the place of the old one and keeps its mode', async () => {
    const { client, at, directory } = await setUp();
    writeFileSync(at('file'), 'old');
    chmodSync(at('file'), 0o751);
    linkSync(at('file'), at('other-name'));
    const { ino } = statSync(at('file'));
    await client.write(at('file'), 'new', atomic);
    expect(readFileSync(at('file'), 'utf8')).toBe('new');
    expect(statSync(at('file')).ino).not.toBe(ino);
    expect(statSync(at('file')).mode & 0o777).toBe(0o751);
    expect(readFileSync(at('other-name'), 'utf8')).toBe('old');
    expect(readdirSync(directory).sort()).toEqual(['file', 'other-name']);
  });

  it.runIf(process.getuid?.() === 0)(
    'keeps set-user-id bits for their owner only: who cannot give the new file away drops them',
    async () => {
      const { client, at, directory } = await setUp();
      chmodSync(directory, 0o777);
      const replaceAs = async (uid: number) => {
        writeFileSync(at('tool'), 'old');
        chownSync(at('tool'), 0, 0);
        chmodSync(at('tool'), 0o6755);
        process.seteuid?.(uid);
        try {
          await client.write(at('tool'), 'new', atomic);
        } finally {
          process.seteuid?.(0);
        }
        return statSync(at('tool'));
      };
      expect((await replaceAs(0)).mode & 0o7777).toBe(0o6755);
      const replaced = await replaceAs(65_534);
      expect(replaced.mode & 0o7777).toBe(0o755);
    },
  );

  it('writes through links, also dangling ones', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('directory'));
    symlinkSync('directory/file', at('link'));
    symlinkSync('link', at('second'));
    await client.write(at('second'), 'text', atomic);
    expect(readlinkSync(at('link'))).toBe('directory/file');
    expect(readFileSync(at('directory/file'), 'utf8')).toBe('text');
    expect(readdirSync(at('directory'))).toEqual(['file']);
  });

  it('shows a reader the old contents or the new, never a part', async () => {
    const { client, at } = await setUp();
    const texts = ['a', 'b'].map((letter) => letter.repeat(300_000));
    await client.write(at('file'), texts[0] as string, atomic);
    const state = { isWriting: true };
    const writer = (async () => {
      for (let round = 0; round < 60; round += 1)
        await client.write(at('file'), texts[round % 2] as string, atomic);
      state.isWriting = false;
    })();
    let reads = 0;
    while (state.isWriting) {
      const text = readFileSync(at('file'), 'utf8');
      expect(texts.includes(text)).toBe(true);
      reads += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    expect(reads).toBeGreaterThan(10);
  });

  it('leaves nothing behind when it fails', async () => {
    const { client, at, directory } = await setUp();
    mkdirSync(at('directory'));
    makeFifo(at('fifo'));
    const write = (path: string, options = {}) =>
      client.refusal('fs/writeFile', { path, dataBase64: base64('x'), ...atomic, ...options });
    expect((await write(at('directory'))).message).toBe('Is a directory (os error 21)');
    expect(await write(at('fifo'))).toEqual({
      code: -32600,
      message: `path \`${at('fifo')}\` is not a file`,
    });
    expect((await write(at('missing/file'))).code).toBe(-32004);
    expect((await write(at('file'), { append: true })).code).toBe(-32600);
    expect(readdirSync(directory).sort()).toEqual(['directory', 'fifo']);
  });

  it('creates exclusively: of many at once, one wins', async () => {
    const { client, at, directory, connect } = await setUp();
    const clients = [client, ...(await Promise.all([connect(), connect(), connect()]))];
    const options = { atomic: true, exclusive: true };
    const outcomes = await Promise.allSettled(
      clients.map((each, index) => each.write(at('file'), `${index}`, options)),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`${index}`] : []));
    expect(winners).toEqual([readFileSync(at('file'), 'utf8')]);
    expect(readdirSync(directory)).toEqual(['file']);
  });
});
