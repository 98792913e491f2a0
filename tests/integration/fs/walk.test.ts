import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { pathToFileUri } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { makeFifo, setUp } from './support/fs-fixture.js';

const bounds = { maxDepth: 8, maxDirectories: 100, maxEntries: 100, followDirectorySymlinks: false };

describe('fs/walk', () => {
  const walk = async (
    client: Awaited<ReturnType<typeof setUp>>['client'],
    path: string,
    options: Record<string, unknown> = {},
  ) => {
    const outcome = await client.call<{ entries: { path: string; kind: string }[]; truncated: boolean }>(
      'fs/walk',
      {
        path,
        options: { ...bounds, ...options },
      },
    );
    const names = outcome.entries.map(
      (entry) => `${entry.kind === 'file' ? '' : '+'}${entry.path.slice(path.length + 1)}`,
    );
    return { names: names.join(' '), truncated: outcome.truncated };
  };

  it('goes breadth first, sorted by bytes, and stops at its limits', async () => {
    const { client, at, directory } = await setUp();
    for (const name of ['B', 'a', '.hidden']) mkdirSync(at(name));
    for (const name of ['B/1', 'a/2', '.hidden/3', 'Z', 'é', '_']) writeFileSync(at(name), '');
    symlinkSync('B', at('to-B'));
    symlinkSync('Z', at('to-Z'));
    makeFifo(at('fifo'));
    expect(await walk(client, directory)).toEqual({
      names: '+.hidden +B Z _ +a é .hidden/3 B/1 a/2',
      truncated: false,
    });
    expect((await walk(client, directory, { pruneHiddenDirectories: true })).names).toBe(
      '+.hidden +B Z _ +a é B/1 a/2',
    );
    expect(await walk(client, directory, { maxDepth: 0 })).toEqual({
      names: '+.hidden +B Z _ +a é',
      truncated: false,
    });
    expect(await walk(client, directory, { maxEntries: 2 })).toEqual({
      names: '+.hidden +B',
      truncated: true,
    });
    expect(await walk(client, directory, { maxDirectories: 2 })).toEqual({
      names: '+.hidden +B Z _ +a é .hidden/3',
      truncated: true,
    });
    expect((await walk(client, directory, { followDirectorySymlinks: true })).names).toBe(
      '+.hidden +B Z _ +a +to-B é .hidden/3 B/1 a/2',
    );
  });

  it('enters a cycle of links once', async () => {
    const { client, at, directory } = await setUp();
    mkdirSync(at('a'));
    symlinkSync('..', at('a/up'));
    expect(await walk(client, directory, { followDirectorySymlinks: true, maxDirectories: 2 })).toEqual({
      names: '+a +a/up',
      truncated: false,
    });
  });

  it('checks its limits first, and answers nothing for what is no directory', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), '');
    expect(await walk(client, at('file'))).toEqual({ names: '', truncated: false });
    const refusal = (options: Record<string, unknown>) =>
      client.refusal('fs/walk', { path: at('missing'), options: { ...bounds, ...options } });
    expect((await refusal({})).code).toBe(-32004);
    expect(await refusal({ maxEntries: 0 })).toEqual({
      code: -32600,
      message: 'filesystem walk limits must be greater than zero',
    });
    expect(await refusal({ maxDepth: 65 })).toEqual({
      code: -32600,
      message: 'filesystem walk limits exceed maximums: depth=64, directories=10000, entries=50000',
    });
  });

  it('truncates a reply at four MiB, counting the written paths', async () => {
    const { client, at, directory } = await setUp();
    // Six characters each in a URI.
    const prefix = 'é'.repeat(120);
    for (let index = 10_000; index < 16_000; index += 1) writeFileSync(at(`${prefix}${index}`), '');
    const { entries, truncated } = await client.call<{ entries: { path: string }[]; truncated: boolean }>(
      'fs/walk',
      {
        path: pathToFileUri(directory),
        options: { ...bounds, maxEntries: 50_000 },
      },
    );
    const bytes = (entries[0]?.path.length ?? 0) + 64;
    expect({ count: entries.length, truncated }).toEqual({
      count: Math.floor((4 * 1024 * 1024) / bytes),
      truncated: true,
    });
  });
});
