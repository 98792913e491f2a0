// A server that lies about a single file: nothing comes to stand under the target's name, and nothing is left beside it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { describe, expect, it, onTestFinished } from 'vitest';

const MIB = 1024 * 1024;

type Answer = (offset: number) => object;

const contents = (length: number) => ({ dataBase64: Buffer.alloc(length, 'x').toString('base64') });
const entry = (more: object) => ({ path: '', kind: 'file', mode: 0o644, modifiedAtMs: 1, ...more });

async function lyingServer(answer: Answer): Promise<ExecServerClient> {
  const [near, far] = createInMemoryChannelPair();
  new RpcPeer(far, {
    onRequest: async ({ method, params }) => {
      if (method === 'initialize')
        return {
          sessionId: 's',
          environmentInfo: {
            shell: { name: 'sh', path: '/bin/sh' },
            cwd: '/',
            capabilities: { fileTrees: true },
          },
        };
      if (method === 'fs/getMetadata')
        return {
          isDirectory: false,
          isFile: true,
          isSymlink: false,
          size: 1,
          createdAtMs: 0,
          modifiedAtMs: 0,
        };
      const { after } = params as { after: { offset: number } };
      return { skipped: [], next: null, dataBase64: '', ...answer(after.offset) };
    },
    onNotification: () => undefined,
  });
  const client = await ExecServerClient.connect({ channel: near });
  onTestFinished(() => client.close());
  return client;
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lying-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const pieces =
  (size: number, more: (offset: number) => object = () => ({})): Answer =>
  (offset) => {
    const length = Math.max(0, Math.min(2 * MIB, size - offset));
    return { entries: [entry({ size, offset, length, ...more(offset) })], ...contents(length) };
  };

describe('a server that lies about a single file', () => {
  it('is believed when it does not', async () => {
    const client = await lyingServer(pieces(5 * MIB));
    const target = join(emptyDirectory(), 'target');
    await client.fs.download('/x', target);
    expect(statSync(target).size).toBe(5 * MIB);
  });

  it('is believed when it saw a file between the time and the length of an append', async () => {
    let looks = 0;
    const size = 4 * MIB;
    const client = await lyingServer(
      pieces(size, (offset) => {
        const named = { file: 'f', modifiedAtMs: 2 };
        if (offset === 0)
          return looks === 0 ? { file: 'f', version: 'v1' } : { ...named, version: 'v2', size: size + 1 };
        return looks++ < 2 ? { ...named, version: 'v2' } : { ...named, version: 'v3', size: size + 1 };
      }),
    );
    const target = join(emptyDirectory(), 'target');
    await client.fs.download('/x', target);
    expect([statSync(target).size, looks]).toEqual([size, 3]);
  });

  it.each<[string, Answer]>([
    ['a path', (offset) => ({ entries: [entry({ path: 'x', size: 1, offset, length: 1 })], ...contents(1) })],
    [
      'a path that leaves',
      () => ({ entries: [entry({ path: '../x', size: 1, length: 1 })], ...contents(1) }),
    ],
    ['a directory', () => ({ entries: [{ path: '', kind: 'directory' }] })],
    ['a link', () => ({ entries: [{ path: '', kind: 'link', target: '/etc/passwd' }] })],
    ['nothing', () => ({ entries: [] })],
    [
      'two files',
      () => ({ entries: [entry({ size: 1, length: 1 }), entry({ size: 1, length: 1 })], ...contents(2) }),
    ],
    ['no base64', () => ({ entries: [entry({ size: 1, length: 1 })], dataBase64: '?' })],
    ['fewer bytes than it names', () => ({ entries: [entry({ size: 9, length: 9 })], ...contents(1) })],
    ['more bytes than its size', () => ({ entries: [entry({ size: 1, length: 9 })], ...contents(9) })],
    ['no size', () => ({ entries: [entry({ length: 9 })], ...contents(9) })],
    ['a size that is negative', () => ({ entries: [entry({ size: -1, length: 0 })] })],
    ['a size that is no number', () => ({ entries: [entry({ size: '9', length: 1 })], ...contents(1) })],
    ['a size without end', pieces(Number.MAX_SAFE_INTEGER, (offset) => (offset > 0 ? { length: 0 } : {}))],
    ['a growing file', pieces(4 * MIB, (offset) => ({ size: 4 * MIB + offset }))],
    ['another version', pieces(4 * MIB, (offset) => ({ version: `v${offset}` }))],
    ['another version of the same file', pieces(4 * MIB, (offset) => ({ file: 'f', version: `v${offset}` }))],
    ['another time', pieces(4 * MIB, (offset) => ({ modifiedAtMs: offset }))],
    ['pieces from elsewhere', pieces(6 * MIB, (offset) => (offset > 0 ? { offset: offset + 1 } : {}))],
    ['an end that comes too early', (offset) => pieces(offset === 0 ? 6 * MIB : 3 * MIB)(offset)],
    [
      'short pieces',
      (offset) => ({ entries: [entry({ size: 6 * MIB, offset, length: MIB })], ...contents(MIB) }),
    ],
    [
      'an offset that was not asked for',
      () => ({ entries: [entry({ size: 2, offset: 1, length: 1 })], ...contents(1) }),
    ],
    ['a time that is none', pieces(1, () => ({ modifiedAtMs: 'now' }))],
    ['a time beyond all', pieces(1, () => ({ modifiedAtMs: 1e300 }))],
    ['a mode that is none', pieces(1, () => ({ mode: 'rwx' }))],
  ])('with %s leaves everything as it was', async (_what, answer) => {
    const client = await lyingServer(answer);
    const directory = emptyDirectory();
    const target = join(directory, 'target');
    writeFileSync(target, 'old');
    await expect(Promise.resolve(client.fs.download('/x', target))).rejects.toMatchObject({
      code: expect.stringMatching(/^(protocol\.violation|fs\.io)$/),
    });
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['target']);
  });

  it.each([0o4777, 0o2755, 0o1777, 0o107777])('cannot give a file the bits of %i', async (mode) => {
    const client = await lyingServer(pieces(1, () => ({ mode })));
    const target = join(emptyDirectory(), 'target');
    await client.fs.download('/x', target);
    expect(statSync(target).mode & 0o7777).toBe(0o755);
  });
});
