import { spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { pathToFileUri } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { base64, makeFifo, setUp } from './support/fs-fixture.js';

const MISSING = { code: -32004, message: 'No such file or directory (os error 2)' };
const NO_DEVICE = { code: -32603, message: 'No such device or address (os error 6)' };

describe('fs/readFile', () => {
  it('answers the bytes of a file, named by URI or by path, through links', async () => {
    const { client, at, uri } = await setUp();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    writeFileSync(at('file'), bytes);
    symlinkSync('file', at('link'));
    for (const path of [uri('file'), at('file'), uri('link'), `${uri('file')}/`]) {
      expect(await client.call('fs/readFile', { path })).toEqual({ dataBase64: base64(bytes) });
    }
    writeFileSync(at('empty'), '');
    expect(await client.read(at('empty'))).toBe('');
  });

  it('reads files whose size is not known, and files that grow', async () => {
    const { client, at } = await setUp();
    expect(await client.read('/proc/self/status')).toContain('Name:');
    writeFileSync(at('log'), 'x');
    const state = { isGrowing: true };
    const grower = (async () => {
      while (state.isGrowing) {
        appendFileSync(at('log'), 'x'.repeat(100));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 100; round += 1) {
      const before = statSync(at('log')).size;
      const { length } = await client.read(at('log'));
      expect(length).toBeGreaterThanOrEqual(before);
      expect(length).toBeLessThanOrEqual(statSync(at('log')).size);
    }
    state.isGrowing = false;
    await grower;
    expect((await client.read(at('log'))).length).toBe(statSync(at('log')).size);
  });

  it('refuses what is no regular file, at once', async () => {
    const { client, at } = await setUp();
    makeFifo(at('fifo'));
    mkdirSync(at('directory'));
    const server = createServer().listen(at('socket'));
    onTestFinished(() => void server.close());
    for (const path of [at('fifo'), at('directory'), '/dev/zero', '/']) {
      const message = `path \`${path}\` is not a file`;
      expect(await client.refusal('fs/readFile', { path })).toEqual({ code: -32600, message });
    }
    expect(await client.refusal('fs/readFile', { path: at('socket') })).toEqual(NO_DEVICE);
    expect(await client.refusal('fs/readFile', { path: at('missing') })).toEqual(MISSING);
    expect(await client.refusal('fs/readFile', { path: at('fifo/x') })).toEqual({
      code: -32603,
      message: 'Not a directory (os error 20)',
    });
    symlinkSync('loop', at('loop'));
    expect(await client.refusal('fs/readFile', { path: at('loop') })).toEqual({
      code: -32603,
      message: 'Symbolic link loop (os error 40)',
    });
  });

  it('refuses a file that no client could take, and names the way to read it', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 600 * 1024 * 1024);
    expect(await client.refusal('fs/readFile', { path: at('huge') })).toEqual({
      code: -32600,
      message: 'file is too large to read: limit is 536870912 bytes',
    });
    truncateSync(at('huge'), 49 * 1024 * 1024);
    const { code, message } = await client.refusal('fs/readFile', { path: at('huge') });
    expect(code).toBe(-32600);
    expect(message).toMatch(/too large for one reply: 51380224 bytes.*fs\/open/);
  });

  it('takes names that are not UTF-8 in a percent-encoded URI', async () => {
    const { client, directory } = await setUp();
    const name = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x62, 0xff])]);
    const path = pathToFileUri(name);
    expect(path).toMatch(/b%FF$/);
    await client.call('fs/writeFile', { path, dataBase64: base64('odd') });
    expect(readFileSync(name, 'utf8')).toBe('odd');
    expect(await client.read(path)).toBe('odd');
    expect(await client.call('fs/canonicalize', { path })).toEqual({ path });
    expect(await client.call('fs/readDirectory', { path: directory })).toEqual({
      entries: [{ fileName: 'b\ufffd', isDirectory: false, isFile: true }],
    });
    await client.call('fs/remove', { path });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('refuses paths that are none here', async () => {
    const { client, uri } = await setUp();
    const cases: [string, number, string][] = [
      ['relative', -32602, 'invalid URI: relative URL without a base'],
      ['', -32602, 'invalid URI: relative URL without a base'],
      ['http://host/file', -32602, 'unsupported path URI scheme `http`'],
      ['file://host/file', -32600, `'file://host/file' is invalid on 'linux'`],
      ['file:///C:/file', -32600, `'file:///C:/file' is invalid on 'linux'`],
      [`${uri('a')}%00b`, -32602, 'is invalid on'],
      [`${uri('a')}?x`, -32602, 'query parameters are not allowed in path URIs'],
      ['/a\0b', -32602, 'NUL'],
    ];
    for (const [path, code, message] of cases) {
      const refusal = await client.refusal('fs/readFile', { path });
      expect(refusal, path).toMatchObject({ code, message: expect.stringContaining(message) });
    }
  });
});

describe('a FIFO with somebody at its other end', () => {
  it('is refused without their noticing', async () => {
    const { client, at } = await setUp();
    makeFifo(at('fifo'));
    const program = 'exec 3<"$0"; read -r line <&3; printf "%s" "$line" > "$0.read"';
    const reader = spawn('sh', ['-c', program, at('fifo')], { stdio: 'ignore' });
    onTestFinished(() => void reader.kill('SIGKILL'));
    const ended = new Promise((resolve) => reader.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let round = 0; round < 20; round += 1) {
      const refusals = await Promise.all([
        client.refusal('fs/writeFile', { path: at('fifo'), dataBase64: base64('x') }),
        client.refusal('fs/readFile', { path: at('fifo') }),
        client.refusal('fs/open', { path: at('fifo'), handleId: 'h', mode: 'replace' }),
      ]);
      expect(refusals.map(({ code }) => code)).toEqual([-32600, -32600, -32600]);
    }
    expect(reader.exitCode).toBeNull();
    writeFileSync(at('fifo'), 'line\n');
    await ended;
    expect(readFileSync(at('fifo.read'), 'utf8')).toBe('line');
  });
});

describe('fs/writeFile', () => {
  it('creates, and replaces the contents of a file whose other links stay', async () => {
    const { client, at } = await setUp();
    await client.write(at('file'), 'first and longer');
    symlinkSync('file', at('link'));
    const { ino } = statSync(at('file'));
    await client.write(at('link'), 'second');
    expect(readFileSync(at('file'), 'utf8')).toBe('second');
    expect(statSync(at('file')).ino).toBe(ino);
    symlinkSync('made', at('dangling'));
    await client.write(at('dangling'), 'through');
    expect(readFileSync(at('made'), 'utf8')).toBe('through');
  });

  it('leaves the old file untouched when the data is no base64', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'old');
    const reasons: [string, string][] = [
      ['bad!', 'Invalid symbol 33, offset 3.'],
      ['YQ', 'Invalid padding'],
      ['YR==', 'Invalid last symbol 82, offset 1.'],
      ['YQ==\n', 'Invalid symbol 10, offset 4.'],
      ['_-8=', 'Invalid symbol 95, offset 0.'],
    ];
    for (const [dataBase64, reason] of reasons) {
      expect(await client.refusal('fs/writeFile', { path: at('file'), dataBase64 })).toEqual({
        code: -32600,
        message: `fs/writeFile requires valid base64 dataBase64: ${reason}`,
      });
    }
    expect(readFileSync(at('file'), 'utf8')).toBe('old');
  });

  it('does not wait for a FIFO and makes no directories', async () => {
    const { client, at, directory } = await setUp();
    makeFifo(at('fifo'));
    const write = (path: string) => client.refusal('fs/writeFile', { path, dataBase64: base64('x') });
    expect(await write(at('fifo'))).toEqual({
      code: -32600,
      message: `path \`${at('fifo')}\` is not a file`,
    });
    expect(await write(directory)).toEqual({ code: -32603, message: 'Is a directory (os error 21)' });
    expect(await write(at('missing/file'))).toEqual(MISSING);
    expect(await write('/dev/full')).toEqual({
      code: -32603,
      message: 'No space left on device (os error 28)',
    });
    await client.write('/dev/null', 'x');
    expect(readdirSync(directory)).toEqual(['fifo']);
  });

  it('appends, creates exclusively, and sets the mode of what it creates', async () => {
    const { client, at } = await setUp();
    await client.write(at('log'), 'a', { append: true });
    await client.write(at('log'), 'b', { append: true, mode: 0o600 });
    expect(readFileSync(at('log'), 'utf8')).toBe('ab');
    expect(statSync(at('log')).mode & 0o777).toBe(0o666 & ~process.umask());
    const options = { exclusive: true, mode: 0o622 };
    await client.write(at('new'), 'c', options);
    expect(statSync(at('new')).mode & 0o777).toBe(0o622);
    const again = { path: at('new'), dataBase64: base64('d'), ...options };
    expect(await client.refusal('fs/writeFile', again)).toEqual({
      code: -32603,
      message: 'File exists (os error 17)',
    });
    expect(readFileSync(at('new'), 'utf8')).toBe('c');
    const invalid = { path: at('new'), dataBase64: base64('d'), mode: 0o10000 };
    expect((await client.refusal('fs/writeFile', invalid)).code).toBe(-32600);
  });
});
