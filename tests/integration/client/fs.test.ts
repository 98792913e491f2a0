import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { ExecServerError, type FsEvent, type Progress } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

const MIB = 1024 * 1024;

function patterned(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 256);
}

describeOnEveryTarget('files', (suite) => {
  it('writes and reads text, bytes and streams of any size', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    await fs.write(`${directory}/a/b/text`, 'grüße\n', { parents: true });
    expect(await fs.readText(`${directory}/a/b/text`)).toBe('grüße\n');
    for (const size of [0, 1, MIB - 1, MIB, MIB + 1, 5 * MIB + 3]) {
      const data = patterned(size);
      await fs.write(`${directory}/bytes`, data);
      expect(Buffer.compare(readFileSync(`${directory}/bytes`), data)).toBe(0);
      expect(Buffer.compare(await fs.readBytes(`${directory}/bytes`), data)).toBe(0);
    }
    await fs.write(
      `${directory}/streamed`,
      (async function* () {
        for (let index = 0; index < 30; index++) yield `${index} `.repeat(50_000);
      })(),
    );
    const { size } = await fs.stat(`${directory}/streamed`);
    let read = 0;
    for await (const chunk of fs.readStream(`${directory}/streamed`)) read += chunk.length;
    expect(read).toBe(size);
    const part: Uint8Array[] = [];
    for await (const chunk of fs.readStream(`${directory}/bytes`, { start: 10, end: 2 * MIB }))
      part.push(chunk);
    expect(Buffer.compare(Buffer.concat(part), patterned(5 * MIB + 3).subarray(10, 2 * MIB))).toBe(0);
    expect(await fs.readText('/proc/self/cmdline')).not.toBe('');
  });

  it('leaves a stream at any time', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    writeFileSync(`${directory}/large`, patterned(3 * MIB));
    for (let index = 0; index < 140; index++) {
      for await (const _ of fs.readStream(`${directory}/large`)) break;
    }
    expect((await fs.readBytes(`${directory}/large`)).length).toBe(3 * MIB);
  });

  it('lists, walks and looks', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    mkdirSync(`${directory}/sub/deeper`, { recursive: true });
    writeFileSync(`${directory}/file with space é`, '12345');
    writeFileSync(`${directory}/sub/deeper/leaf`, '');
    symlinkSync(`${directory}/sub`, `${directory}/link`);
    expect(await fs.list(directory)).toEqual([
      { name: 'file with space é', path: `${directory}/file with space é`, kind: 'file' },
      { name: 'link', path: `${directory}/link`, kind: 'directory' },
      { name: 'sub', path: `${directory}/sub`, kind: 'directory' },
    ]);
    const walked: string[] = [];
    for await (const { path } of fs.walk(directory)) walked.push(path.slice(directory.length + 1));
    expect(walked).toEqual(['file with space é', 'sub', 'sub/deeper', 'sub/deeper/leaf']);
    const first: string[] = [];
    for await (const { name } of fs.walk(directory, { maxEntries: 2 })) first.push(name);
    expect(first).toHaveLength(2);
    const stat = await fs.stat(`${directory}/file with space é`);
    expect(stat).toMatchObject({ kind: 'file', size: 5, isLink: false });
    expect(Math.abs(stat.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(await fs.stat(`${directory}/link`)).toMatchObject({ kind: 'directory', isLink: true });
    expect(await fs.realpath(`${directory}/link/deeper`)).toBe(`${directory}/sub/deeper`);
    expect(await fs.exists(`${directory}/sub`)).toBe(true);
    expect(await fs.exists(`${directory}/nothing`)).toBe(false);
  });

  it('makes, copies, moves and removes', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    await fs.mkdir(`${directory}/one/two`);
    await expect(fs.mkdir(`${directory}/one`, { recursive: false })).rejects.toMatchObject({
      code: 'fs.exists',
    });
    await fs.write(`${directory}/one/two/file`, 'x');
    await fs.copy(`${directory}/one`, `${directory}/copy`, { recursive: true });
    expect(await fs.readText(`${directory}/copy/two/file`)).toBe('x');
    await fs.move(`${directory}/copy`, `${directory}/moved`);
    expect(await fs.exists(`${directory}/copy`)).toBe(false);
    expect(await fs.readText(`${directory}/moved/two/file`)).toBe('x');
    await fs.write(`${directory}/other`, 'y');
    await expect(
      fs.move(`${directory}/other`, `${directory}/moved/two/file`, { overwrite: false }),
    ).rejects.toMatchObject({ code: 'fs.exists' });
    await expect(fs.remove(`${directory}/moved`)).rejects.toBeInstanceOf(ExecServerError);
    await fs.remove(`${directory}/moved`, { recursive: true });
    await expect(fs.remove(`${directory}/moved`)).rejects.toMatchObject({ code: 'fs.notFound' });
    await fs.remove(`${directory}/moved`, { force: true });
  });

  it('fails with codes that say what is wrong', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    const missing = await fs.readText(`${directory}/no`).catch((error: unknown) => error);
    if (!ExecServerError.is(missing, 'fs.notFound')) throw missing;
    expect(missing.details.path).toBe(`${directory}/no`);
    expect(missing.retryable).toBe(false);
    await expect(fs.readBytes(directory)).rejects.toMatchObject({ code: 'fs.io' });
    await expect(fs.list(`${directory}/no`)).rejects.toMatchObject({ code: 'fs.notFound' });
    await expect(Promise.resolve(fs.write(`${directory}/no/file`, 'x'))).rejects.toMatchObject({
      code: 'fs.notFound',
    });
    await expect(fs.stat('')).rejects.toMatchObject({ code: 'argument.invalid' });
  });

  it('uploads and downloads files and trees with progress', async () => {
    const { fs } = await suite.connect();
    const local = suite.directory();
    const remote = suite.directory();
    mkdirSync(`${local}/tree/sub`, { recursive: true });
    writeFileSync(`${local}/tree/large`, patterned(6 * MIB));
    writeFileSync(`${local}/tree/sub/small`, 'small');
    const upload = fs.upload(`${local}/tree`, `${remote}/tree`);
    const progress: Progress[] = [];
    for await (const step of upload) progress.push(step);
    expect(await upload).toEqual({ files: 2, bytes: 6 * MIB + 5, skipped: [] });
    expect(progress.at(-1)).toMatchObject({ bytes: 6 * MIB + 5, totalBytes: 6 * MIB + 5 });
    expect(progress.length).toBeGreaterThan(2);
    expect(await fs.download(`${remote}/tree`, `${local}/back`)).toEqual({
      files: 2,
      bytes: 6 * MIB + 5,
      skipped: [],
    });
    expect(Buffer.compare(readFileSync(`${local}/back/large`), patterned(6 * MIB))).toBe(0);
    expect(readFileSync(`${local}/back/sub/small`, 'utf8')).toBe('small');
    await fs.download(`${remote}/tree/sub/small`, `${local}/one`);
    expect(readFileSync(`${local}/one`, 'utf8')).toBe('small');
    await expect(Promise.resolve(fs.upload(`${local}/nothing`, `${remote}/x`))).rejects.toMatchObject({
      code: 'fs.io',
    });
  });

  it('stops a transfer when it is told to', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    const endless = (async function* () {
      for (;;) yield new Uint8Array(MIB);
    })();
    const write = fs.write(`${directory}/endless`, endless);
    for await (const { bytes } of write) {
      if (bytes < 4 * MIB) continue;
      write.abort('enough');
      break;
    }
    await expect(Promise.resolve(write)).rejects.toMatchObject({ code: 'aborted' });
    expect(await fs.exists(directory)).toBe(true);
  });

  it('appends, creates and replaces in one step, or says that it cannot', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    const path = `${directory}/file`;
    if (suite.name === 'real codex') {
      for (const options of [{ append: true }, { exclusive: true }, { atomic: true }]) {
        await expect(Promise.resolve(fs.write(path, 'x', options))).rejects.toMatchObject({
          code: 'unsupported',
        });
      }
      expect(() => fs.watch(directory)).toThrow(ExecServerError);
      expect(await fs.exists(path)).toBe(false);
      return;
    }
    await fs.write(path, 'one', { exclusive: true });
    await expect(Promise.resolve(fs.write(path, 'x', { exclusive: true }))).rejects.toMatchObject({
      code: 'fs.exists',
    });
    await fs.write(path, 'two', { append: true });
    expect(await fs.readText(path)).toBe('onetwo');
    await fs.write(path, patterned(3 * MIB), { atomic: true });
    expect((await fs.list(directory)).map(({ name }) => name)).toEqual(['file']);
    expect(Buffer.compare(readFileSync(path), patterned(3 * MIB))).toBe(0);
  });

  it('watches, where the server can', async () => {
    const client = await suite.connect();
    const directory = suite.directory();
    if (!client.supports('fs.watch')) return;
    const watch = client.fs.watch(directory, { recursive: true });
    await watch.ready;
    writeFileSync(`${directory}/new`, 'x');
    const seen: FsEvent[] = [];
    for await (const event of watch) {
      seen.push(event);
      break;
    }
    expect(seen[0]).toMatchObject({ type: 'created', path: `${directory}/new` });
    await expect(client.fs.watch(`${directory}/missing`).next()).rejects.toBeInstanceOf(ExecServerError);
  });
});
