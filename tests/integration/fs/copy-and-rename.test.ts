import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeFifo, setUp } from './support/fs-fixture.js';

describe('fs/copy', () => {
  const copy = (source: string, destination: string, recursive = false) => ({
    sourcePath: source,
    destinationPath: destination,
    recursive,
  });

  it('copies a file with its mode, and a link as a link', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'text');
    chmodSync(at('file'), 0o740);
    symlinkSync('file', at('link'));
    await client.call('fs/copy', copy(at('file'), at('copy')));
    await client.call('fs/copy', copy(at('link'), at('link-copy')));
    expect(readFileSync(at('copy'), 'utf8')).toBe('text');
    expect(statSync(at('copy')).mode & 0o777).toBe(0o740);
    expect(readlinkSync(at('link-copy'))).toBe('file');
    expect((await client.refusal('fs/copy', copy(at('link'), at('copy')))).message).toMatch(/os error 17/);
  });

  it('leaves set-user-id and set-group-id bits behind: the copy has another owner', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('tools'));
    writeFileSync(at('tools/tool'), 'text');
    chmodSync(at('tools/tool'), 0o6755);
    await client.call('fs/copy', copy(at('tools/tool'), at('copy')));
    await client.call('fs/copy', copy(at('tools'), at('tools-copy'), true));
    expect(statSync(at('copy')).mode & 0o7777).toBe(0o755);
    expect(statSync(at('tools-copy/tool')).mode & 0o7777).toBe(0o755);
  });

  it('leaves a file that is copied onto itself as it is', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'text');
    symlinkSync('file', at('link'));
    await client.call('fs/copy', copy(at('file'), at('file')));
    await client.call('fs/copy', copy(at('file'), at('link')));
    expect(readFileSync(at('file'), 'utf8')).toBe('text');
  });

  it('copies a tree, without what is neither file, directory nor link', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('tree/private'), { recursive: true });
    chmodSync(at('tree/private'), 0o700);
    writeFileSync(at('tree/private/file'), 'text');
    symlinkSync('private/file', at('tree/link'));
    makeFifo(at('tree/fifo'));
    await client.call('fs/copy', copy(at('tree'), at('new/copy'), true));
    expect(readdirSync(at('new/copy')).sort()).toEqual(['link', 'private']);
    expect(readFileSync(at('new/copy/link'), 'utf8')).toBe('text');
    expect(statSync(at('new/copy/private')).mode & 0o777).toBe(0o700);
  });

  it('refuses what it cannot copy', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('tree'));
    symlinkSync('tree', at('link'));
    makeFifo(at('fifo'));
    const refused = async (...paths: Parameters<typeof copy>) => {
      const { code, message } = await client.refusal('fs/copy', copy(...paths));
      return `${code} ${message}`;
    };
    expect(await refused(at('tree'), at('x'))).toBe(
      '-32600 fs/copy requires recursive: true when sourcePath is a directory',
    );
    const inside = '-32600 fs/copy cannot copy a directory to itself or one of its descendants';
    expect(await refused(at('tree'), at('tree'), true)).toBe(inside);
    expect(await refused(at('tree'), at('link/x/y'), true)).toBe(inside);
    expect(await refused(at('fifo'), at('x'))).toBe(
      '-32600 fs/copy only supports regular files, directories, and symlinks',
    );
    expect(existsSync(at('x'))).toBe(false);
  });

  it('keeps a sparse file sparse', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('sparse'), 'head');
    truncateSync(at('sparse'), 256 * 1024 * 1024);
    await client.call('fs/copy', copy(at('sparse'), at('copy')));
    const { size, blocks } = statSync(at('copy'));
    expect(size).toBe(256 * 1024 * 1024);
    expect(blocks * 512).toBeLessThan(8 * 1024 * 1024);
  });
});

describe('fs/rename', () => {
  it('moves and replaces, or refuses to replace', async () => {
    const { client, at, uri, directory } = await setUp();
    writeFileSync(at('a'), 'a');
    writeFileSync(at('b'), 'b');
    mkdirSync(at('directory'));
    const move = (source: string, destination: string, overwrite?: boolean) => ({
      sourcePath: source,
      destinationPath: destination,
      ...(overwrite === undefined ? {} : { overwrite }),
    });
    for (const source of [at('a'), at('directory')]) {
      expect((await client.refusal('fs/rename', move(source, at('b'), false))).message).toMatch(
        /os error 17/,
      );
    }
    await client.call('fs/rename', move(at('a'), uri('b')));
    expect(readFileSync(at('b'), 'utf8')).toBe('a');
    await client.call('fs/rename', move(at('b'), at('c'), false));
    await client.call('fs/rename', move(at('directory'), at('d'), false));
    expect(readdirSync(directory).sort()).toEqual(['c', 'd']);
    expect((await client.refusal('fs/rename', move(at('missing'), at('x')))).code).toBe(-32004);
  });
});
