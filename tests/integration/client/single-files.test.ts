// One file between two machines: whole or not at all, no more open to others than its source, and over a connection that
// breaks on the way.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient, type Progress, type Transfer } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { cuttingProxy } from './support/cutting-proxy.js';
import { describeOnEveryTarget, type Suite } from './support/targets.js';

const MIB = 1024 * 1024;
const CUTS = 5;
const LARGE = randomBytes(40 * MIB + 1);

const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const modeOf = (path: string) => statSync(path).mode & 0o7777;
const settled = <T>(transfer: Transfer<T>): Promise<T> => Promise.resolve(transfer);

/** A transfer in either direction, from a path to another one of the same machine. */
type Copy = (client: ExecServerClient, from: string, to: string) => Transfer<unknown>;
const WAYS: readonly (readonly [string, Copy])[] = [
  ['upload', ({ fs }, from, to) => fs.upload(from, to)],
  ['download', ({ fs }, from, to) => fs.download(from, to)],
];

/** Runs `act` once, when some of the bytes are there. */
async function onTheWay(transfer: Transfer<unknown>, act: () => void): Promise<void> {
  let isDone = false;
  for await (const { bytes } of transfer) {
    if (isDone || bytes === 0) continue;
    isDone = true;
    act();
  }
}

const takesFiles = (suite: Suite) => suite.name !== 'real codex';

describeOnEveryTarget('a single file', (suite) => {
  describe.runIf(takesFiles(suite)).each(WAYS)('%s', (_way, copy) => {
    it.each([
      ['private', 0o600, 0o600],
      ['read-only', 0o444, 0o444],
      ['a program', 0o755, 0o755],
      ['set-user-id', 0o4755, 0o755],
      ['closed to its owner', 0o040, 0o040],
    ])('keeps mode and time: %s', async (_what, before, after) => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, 'contents');
      utimesSync(from, 1_400_000_000, 1_400_000_000.5);
      chmodSync(from, before);
      await copy(client, from, to);
      expect([modeOf(to), statSync(to).mtimeMs]).toEqual([after, 1_400_000_000_500]);
      // And over what is there.
      await copy(client, from, to);
      expect(readFileSync(to, 'utf8')).toBe('contents');
      expect(modeOf(to)).toBe(after);
    });

    it('opens nothing that was more private, and replaces a file that may not be written', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, 'new', { mode: 0o644 });
      writeFileSync(to, 'old', { mode: 0o400 });
      await copy(client, from, to);
      expect([readFileSync(to, 'utf8'), modeOf(to)]).toEqual(['new', 0o600]);
    });

    it.each([0, 1, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 7 * MIB])('takes %i bytes', async (size) => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, LARGE.subarray(0, size));
      const transfer = copy(client, from, to);
      const steps: Progress[] = [];
      for await (const step of transfer) steps.push(step);
      expect(await settled(transfer)).toEqual({ files: 1, bytes: size, skipped: [] });
      expect(steps.at(-1)).toMatchObject({ bytes: size, totalBytes: size, files: 1 });
      expect(digest(to)).toBe(digest(from));
      expect(readdirSync(directory).sort()).toEqual(['from', 'to']);
    });

    it('takes a file that does not say how long it is', async () => {
      const client = await suite.connect();
      const to = join(suite.directory(), 'to');
      await copy(client, '/proc/self/limits', to);
      expect(readFileSync(to, 'utf8')).toContain('Max open files');
    });

    it('survives a connection that breaks again and again', async () => {
      const proxy = await cuttingProxy(suite.target());
      const client = await ExecServerClient.connect(proxy.address, { reconnect: { intervalMs: 10 } });
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, LARGE, { mode: 0o640 });
      const transfer = copy(client, from, to);
      let lastCutAt = 0;
      let cuts = 0;
      for await (const { bytes } of transfer) {
        if (bytes < LARGE.length) expect(existsSync(to)).toBe(false);
        if (cuts === CUTS || bytes - lastCutAt < 5 * MIB) continue;
        lastCutAt = bytes;
        cuts++;
        proxy.cut();
      }
      expect(cuts).toBe(CUTS);
      expect(digest(to)).toBe(digest(from));
      expect([modeOf(to), Math.floor(statSync(to).mtimeMs)]).toEqual([
        0o640,
        Math.floor(statSync(from).mtimeMs),
      ]);
      expect(readdirSync(directory).sort()).toEqual(['from', 'to']);
      await client.close();
      await proxy.close();
    });

    it.each([
      [
        'written anew and longer',
        (path: string) => writeFileSync(path, Buffer.concat([randomBytes(99), LARGE])),
      ],
      ['replaced by another of its length', (path: string) => replaceWith(path, randomBytes(LARGE.length))],
      ['cut off', (path: string) => writeFileSync(path, 'short')],
    ])('names a source that was %s meanwhile, and replaces nothing', async (what, change) => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, LARGE);
      writeFileSync(to, 'old');
      const transfer = copy(client, from, to);
      const end = settled(transfer).then(
        () => 'copied',
        (error: unknown) => error,
      );
      await onTheWay(transfer, () => change(from)).catch(() => undefined);
      // An upload holds the file open: what is put in its place is another file.
      if (copy === WAYS[0]?.[1] && what.startsWith('replaced')) {
        expect(await end).toBe('copied');
        expect(createHash('sha256').update(readFileSync(to)).digest('hex')).toBe(
          createHash('sha256').update(LARGE).digest('hex'),
        );
      } else {
        expect(await end).toMatchObject({ code: 'fs.io', message: expect.stringContaining(`${from}: `) });
        expect(await end).toMatchObject({ message: expect.stringContaining('was changed') });
        expect(readFileSync(to, 'utf8')).toBe('old');
      }
      expect(readdirSync(directory).filter((name) => name.endsWith('.part'))).toEqual([]);
    });

    it.each([
      ['all the time, as a log', 7 * MIB, 5],
      ['in its only piece', 9, 20],
    ])('is copied up to the end that it had when it grows %s', async (_what, size, rounds) => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      for (let round = 0; round < rounds; round++) {
        writeFileSync(from, LARGE.subarray(0, size));
        const writer = setInterval(() => appendFileSync(from, 'a line of a log\n'), 0);
        try {
          await copy(client, from, to);
        } finally {
          clearInterval(writer);
        }
        const copied = readFileSync(to);
        expect(copied.length).toBeGreaterThanOrEqual(size);
        expect(readFileSync(from).subarray(0, copied.length).equals(copied)).toBe(true);
      }
    });

    it('goes over what was put there meanwhile, unless that is a directory', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, LARGE);
      await onTheWay(copy(client, from, to), () => writeFileSync(to, 'from somebody else'));
      expect(digest(to)).toBe(digest(from));
      const other = join(directory, 'other');
      await expect(
        onTheWay(copy(client, from, other), () => mkdirSync(join(other, 'kept'), { recursive: true })),
      ).rejects.toMatchObject({ code: 'fs.io' });
      expect(readdirSync(other)).toEqual(['kept']);
      expect(readdirSync(directory).sort()).toEqual(['from', 'other', 'to']);
    });

    it('leaves nothing when it is given up', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, LARGE);
      const transfer = copy(client, from, to);
      await expect(onTheWay(transfer, () => transfer.abort())).rejects.toMatchObject({ code: 'aborted' });
      expect(readdirSync(directory)).toEqual(['from']);
    });

    it.runIf(process.getuid?.() === 0)('leaves the old file when the disk is full', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      const disk = join(directory, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
      try {
        const [from, to] = [join(directory, 'from'), join(disk, 'to')];
        writeFileSync(from, LARGE);
        writeFileSync(to, 'old');
        await expect(settled(copy(client, from, to))).rejects.toMatchObject({
          code: expect.stringMatching(/^fs\./),
          message: expect.stringMatching(/space/i),
        });
        expect(readFileSync(to, 'utf8')).toBe('old');
        expect(readdirSync(disk)).toEqual(['to']);
      } finally {
        execFileSync('umount', [disk]);
      }
    });
  });

  describe.runIf(takesFiles(suite))('on the way', () => {
    it('is written through a link on the server, and makes missing directories there', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      writeFileSync(join(directory, 'from'), 'new');
      writeFileSync(join(directory, 'real'), 'old');
      symlinkSync('real', join(directory, 'link'));
      await client.fs.upload(join(directory, 'from'), join(directory, 'link'));
      expect(readlinkSync(join(directory, 'link'))).toBe('real');
      expect(readFileSync(join(directory, 'real'), 'utf8')).toBe('new');
      await client.fs.upload(join(directory, 'from'), join(directory, 'a/b/c'));
      expect(readFileSync(join(directory, 'a/b/c'), 'utf8')).toBe('new');
    });

    it('replaces a link here', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      writeFileSync(join(directory, 'from'), 'new');
      writeFileSync(join(directory, 'real'), 'old');
      symlinkSync('real', join(directory, 'link'));
      await client.fs.download(join(directory, 'from'), join(directory, 'link'));
      expect(lstatSync(join(directory, 'link')).isFile()).toBe(true);
      expect(readFileSync(join(directory, 'real'), 'utf8')).toBe('old');
    });

    it('is no more open to others here than the umask allows', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      writeFileSync(join(directory, 'from'), 'x');
      chmodSync(join(directory, 'from'), 0o777);
      await client.fs.download(join(directory, 'from'), join(directory, 'to'));
      expect(modeOf(join(directory, 'to'))).toBe(0o755);
    });

    it.runIf(process.getuid?.() === 0)('keeps the owner of what it replaces on the server', async () => {
      const client = await suite.connect();
      const directory = suite.directory();
      const [from, to] = [join(directory, 'from'), join(directory, 'to')];
      writeFileSync(from, 'new');
      writeFileSync(to, 'old');
      execFileSync('chown', ['1234:1235', to]);
      await client.fs.upload(from, to);
      expect([statSync(to).uid, statSync(to).gid]).toEqual([1234, 1235]);
    });
  });
});

function replaceWith(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.new`, bytes);
  const { atime, mtime } = statSync(path);
  utimesSync(`${path}.new`, atime, mtime);
  renameSync(`${path}.new`, path);
}
