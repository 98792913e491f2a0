// A server without trees names the files of a directory one by one. One that lies about their names writes nothing outside of the
// target, nor through a link that stands in it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = '/source';

interface Listed {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

async function lyingServer(entries: readonly Listed[]): Promise<ExecServerClient> {
  const [near, far] = createInMemoryChannelPair();
  const environmentInfo = { shell: { name: 'sh', path: '/bin/sh' }, cwd: '/' };
  const times = { createdAtMs: 0, modifiedAtMs: 0 };
  const answers: Readonly<Record<string, object>> = {
    initialize: { sessionId: 's', environmentInfo },
    'fs/getMetadata': { isDirectory: true, isFile: false, isSymlink: false, size: 0, ...times },
    'fs/walk': { entries, errors: [], truncated: false },
    'fs/readBlock': { chunk: Buffer.from('planted').toString('base64'), eof: true },
  };
  new RpcPeer(far, {
    onRequest: async ({ method }) => answers[method] ?? {},
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

/** As long as the root, and then some: what is left of it when the root is cut off leads one up. */
const CUT_NAME = `/${'x'.repeat(ROOT.length - 1)}..`;

describe('a server that lies about the names in a directory', () => {
  it('is believed when it does not', async () => {
    const client = await lyingServer([
      { path: 'file:///source/a', kind: 'directory' },
      { path: '/source/a/b', kind: 'file' },
    ]);
    const target = join(emptyDirectory(), 'target');
    await client.fs.download(ROOT, target);
    expect(readFileSync(join(target, 'a', 'b'), 'utf8')).toBe('planted');
  });

  it.each([
    `${CUT_NAME}/.profile`,
    `${CUT_NAME}/.ssh/keys`,
    `${ROOT}${ROOT}/../../../.profile`,
    '/source',
    '/sourcefile',
    '/s',
    '/elsewhere/file',
  ])('does not write %s', async (path) => {
    for (const kind of ['file', 'directory'] as const) {
      const directory = emptyDirectory();
      const client = await lyingServer([{ path, kind }]);
      await expect(client.fs.download(ROOT, join(directory, 'target'))).rejects.toMatchObject({
        code: 'protocol.violation',
        message: expect.stringContaining(path.includes('/../') ? '.profile' : path),
      });
      expect(readdirSync(directory)).toEqual(['target']);
      expect(readdirSync(join(directory, 'target'))).toEqual([]);
    }
  });

  it.each([
    [{ path: '/source/link/planted', kind: 'file' }],
    [{ path: '/source/link/planted', kind: 'directory' }],
    [{ path: '/source/link', kind: 'directory' }],
    [{ path: '/source/deeper/link/a/b', kind: 'directory' }],
  ] as const)('does not follow a link that stands in the target: %j', async (entry) => {
    const directory = emptyDirectory();
    mkdirSync(join(directory, 'outside'));
    mkdirSync(join(directory, 'target', 'deeper'), { recursive: true });
    for (const place of ['target', 'target/deeper'])
      symlinkSync(join(directory, 'outside'), join(directory, place, 'link'));
    const client = await lyingServer([entry]);
    await expect(client.fs.download(ROOT, join(directory, 'target'))).rejects.toThrow(
      'is a link, and not followed',
    );
    expect(readdirSync(join(directory, 'outside'))).toEqual([]);
  });

  it('replaces a link by a file of its name', async () => {
    const directory = emptyDirectory();
    mkdirSync(join(directory, 'target'));
    symlinkSync(join(directory, 'outside'), join(directory, 'target', 'link'));
    const client = await lyingServer([{ path: '/source/link', kind: 'file' }]);
    await client.fs.download(ROOT, join(directory, 'target'));
    expect(readFileSync(join(directory, 'target', 'link'), 'utf8')).toBe('planted');
    expect(existsSync(join(directory, 'outside'))).toBe(false);
  });
});
