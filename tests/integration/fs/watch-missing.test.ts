// `fs/watchMissing`: a client that found nothing is told when that may have changed.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually, type Fixture, type FsClient, setUp } from './support/fs-fixture.js';

let lastId = 0;

async function watch(where: Fixture, missing: string[], present?: string): Promise<boolean> {
  const params = {
    watchId: ++lastId,
    missing: missing.map(where.uri),
    ...(present === undefined ? {} : { present: where.uri(present) }),
  };
  const { watching } = await where.client.call<{ watching: boolean }>('fs/watchMissing', params);
  return watching;
}

const told = (client: FsClient) =>
  client.notifications
    .filter(({ method }) => method === 'fs/missingChanged')
    .map(({ params }) => params['watchId']);

const untilTold = (where: Fixture) =>
  eventually('fs/missingChanged', () => told(where.client).includes(lastId));

/** Long enough for an event to come through, where none must. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 150));

describe('fs/watchMissing', () => {
  it.each<[what: string, missing: string, change: (where: Fixture) => void]>([
    ['a file appears', 'new', ({ at }) => writeFileSync(at('new'), '')],
    ['a directory appears', 'new', ({ at }) => mkdirSync(at('new'))],
    ['a dangling link appears', 'new', ({ at }) => symlinkSync('/nowhere', at('new'))],
    ['a file is moved there', 'new', ({ at }) => renameSync(at('file'), at('new'))],
    ['a directory on the way appears', 'a/b/c', ({ at }) => mkdirSync(at('a'))],
    ['a directory on the way is removed', 'd/new', ({ at }) => rmSync(at('d'), { recursive: true })],
    ['a directory on the way is moved', 'd/e/new', ({ at }) => renameSync(at('d'), at('moved'))],
    ['a directory on the way gets another mode', 'd/e/new', ({ at }) => chmodSync(at('d'), 0o700)],
  ])('tells once that %s', async (_, missing, change) => {
    const where = await setUp();
    mkdirSync(where.at('d/e'), { recursive: true });
    writeFileSync(where.at('file'), '');
    expect(await watch(where, [missing])).toBe(true);
    writeFileSync(where.at('unrelated'), '');
    await pause();
    expect(told(where.client)).toEqual([]);
    change(where);
    await untilTold(where);
    writeFileSync(where.at('after'), '');
    await pause();
    expect(told(where.client)).toEqual([lastId]);
  });

  it.each<[what: string, change: (where: Fixture) => void]>([
    ['changes', ({ at }) => writeFileSync(at('there'), 'other')],
    ['is removed', ({ at }) => unlinkSync(at('there'))],
    ['is replaced', ({ at }) => renameSync(at('file'), at('there'))],
  ])('tells that an entry which was there %s', async (_, change) => {
    const where = await setUp();
    for (const name of ['there', 'file']) writeFileSync(where.at(name), '');
    expect(await watch(where, ['new'], 'there')).toBe(true);
    change(where);
    await untilTold(where);
  });

  it('does not watch what is not as the client believes', async () => {
    const where = await setUp();
    writeFileSync(where.at('file'), '');
    symlinkSync('/nowhere', where.at('dangling'));
    mkdirSync(where.at('d'));
    symlinkSync(where.at('d'), where.at('link'));
    expect(await watch(where, ['file'])).toBe(false);
    expect(await watch(where, ['new', 'file'])).toBe(false);
    expect(await watch(where, ['dangling'])).toBe(false);
    expect(await watch(where, ['file/new'])).toBe(false);
    expect(await watch(where, ['link/new'])).toBe(false);
    expect(await watch(where, ['new'], 'absent')).toBe(false);
    expect(await watch(where, [])).toBe(false);
  });

  it('takes 64 paths and no more', async () => {
    const where = await setUp();
    const names = Array.from({ length: 65 }, (_, index) => `n${index}`);
    expect(await watch(where, names.slice(1))).toBe(true);
    expect(await watch(where, names)).toBe(false);
  });

  it('is replaced by a newer watch, and not by an older one', async () => {
    const where = await setUp();
    expect(await watch(where, ['one'])).toBe(true);
    expect(await watch(where, ['two'])).toBe(true);
    const stale = { watchId: lastId - 1, missing: [where.uri('three')] };
    expect(await where.client.call('fs/watchMissing', stale)).toEqual({ watching: false });
    for (const name of ['one', 'three']) writeFileSync(where.at(name), '');
    await pause();
    expect(told(where.client)).toEqual([]);
    writeFileSync(where.at('two'), '');
    await untilTold(where);
  });

  it('misses nothing that happens while it is being set', async () => {
    const where = await setUp();
    for (let round = 0; round < 30; round++) {
      const name = `race${round}`;
      const answer = watch(where, [name]);
      const delay = new Promise((resolve) => setTimeout(resolve, round % 5));
      await delay;
      writeFileSync(where.at(name), '');
      if (await answer) await untilTold(where);
    }
  });
});
