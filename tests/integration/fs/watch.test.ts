import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually, type Fixture, setUp } from './support/fs-fixture.js';

interface Change {
  readonly kind: string;
  readonly path: string;
  readonly previousPath?: string;
}

interface Changed {
  readonly watchId: string;
  readonly changes: readonly Change[];
  readonly overflow?: boolean;
}

const changed = ({ client }: Fixture, watchId = 'w'): Changed[] =>
  client.notifications
    .filter(({ method }) => method === 'fs/changed')
    .map(({ params }) => params as unknown as Changed)
    .filter((params) => params.watchId === watchId);

/** The changes so far, with paths relative to the directory of the test. */
const changesOf = (fixture: Fixture, watchId?: string): string[] => {
  const short = (path: string) => path.slice(fixture.directory.length + 1);
  return changed(fixture, watchId)
    .flatMap(({ changes }) => changes)
    .map(({ kind, path, previousPath }) =>
      previousPath === undefined ? `${kind} ${short(path)}` : `${kind} ${short(previousPath)} ${short(path)}`,
    );
};

/** Registered before the server is made, and so checked after it has ended. */
function setUpWatch(...options: Parameters<typeof setUp>): Promise<Fixture> {
  onTestFinished(async () => {
    await eventually('the helper ends with its connection', () => helpers().length === 0);
  });
  return setUp(...options);
}

interface WatchSetUp {
  readonly recursive?: boolean;
  readonly base?: string;
  readonly prepare?: (fixture: Fixture) => void;
}

async function watching({ recursive = false, base, prepare }: WatchSetUp = {}): Promise<Fixture> {
  const fixture = await setUpWatch({}, base);
  prepare?.(fixture);
  await fixture.client.call('fs/watch', { watchId: 'w', path: fixture.directory, recursive });
  return fixture;
}

/** The helpers of this process. */
function helpers(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ');
  return children.map(Number).filter((pid) => {
    if (pid === 0) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--watch');
    } catch {
      return false;
    }
  });
}

describe('fs/watch', () => {
  it('reports what is created, modified, renamed and removed', async () => {
    const fixture = await watching();
    const { at } = fixture;
    writeFileSync(at('file'), 'text');
    await eventually('creation', () => changesOf(fixture).includes('created file'));
    appendFileSync(at('file'), 'more');
    await eventually('modification', () => changesOf(fixture).includes('modified file'));
    renameSync(at('file'), at('renamed'));
    await eventually('rename', () => changesOf(fixture).includes('renamed file renamed'));
    unlinkSync(at('renamed'));
    await eventually('removal', () => changesOf(fixture).includes('removed renamed'));
  });

  it('answers paths in the form it was asked in', async () => {
    const fixture = await setUpWatch();
    await fixture.client.call('fs/watch', { watchId: 'uri', path: fixture.uri('') });
    writeFileSync(fixture.at('a b'), '');
    const [first] = await eventually('a change', () => {
      const list = changed(fixture, 'uri').flatMap(({ changes }) => changes);
      return list.length > 0 && list;
    });
    expect(first).toEqual({ kind: 'created', path: fixture.uri('a b') });
  });

  it('covers only the directory itself unless it is recursive', async () => {
    const fixture = await watching({ prepare: ({ at }) => mkdirSync(at('sub')) });
    writeFileSync(fixture.at('sub/file'), '');
    writeFileSync(fixture.at('file'), '');
    await eventually('creation', () => changesOf(fixture).includes('created file'));
    expect(changesOf(fixture).filter((change) => change.includes('sub/'))).toEqual([]);
  });

  it('covers old and new directories when it is, wherever they are moved', async () => {
    const fixture = await watching({
      recursive: true,
      prepare: ({ at }) => mkdirSync(at('old/deep'), { recursive: true }),
    });
    const { at } = fixture;
    mkdirSync(at('new/deeper/still'), { recursive: true });
    writeFileSync(at('new/deeper/still/file'), '');
    await eventually('the new tree', () => changesOf(fixture).includes('created new/deeper/still/file'));
    renameSync(at('old'), at('new/moved'));
    writeFileSync(at('new/moved/deep/file'), '');
    await eventually('the moved tree', () => changesOf(fixture).includes('created new/moved/deep/file'));
    rmSync(at('new'), { recursive: true });
    await eventually('removal', () => changesOf(fixture).includes('removed new'));
    expect(changesOf(fixture)).toContain('renamed old new/moved');
  });

  it('does not enter links, and reports nothing of a tree that was moved away', async () => {
    const fixture = await setUpWatch();
    const { client, at } = fixture;
    mkdirSync(at('watched/sub'), { recursive: true });
    mkdirSync(at('outside'));
    symlinkSync('../outside', at('watched/link'));
    await client.call('fs/watch', { watchId: 'w', path: at('watched'), recursive: true });
    writeFileSync(at('outside/file'), '');
    renameSync(at('watched/sub'), at('outside/sub'));
    await eventually('the move', () => changesOf(fixture).includes('removed watched/sub'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    writeFileSync(at('outside/sub/file'), '');
    writeFileSync(at('watched/last'), '');
    await eventually('the last', () => changesOf(fixture).includes('created watched/last'));
    expect(changesOf(fixture)).toEqual(['removed watched/sub', 'created watched/last']);
  });

  it('follows a single file through its replacement', async () => {
    const fixture = await setUpWatch();
    const { client, at } = fixture;
    writeFileSync(at('file'), '1');
    await client.call('fs/watch', { watchId: 'w', path: at('file') });
    writeFileSync(at('other'), '2');
    renameSync(at('other'), at('file'));
    await eventually('replacement', () => changesOf(fixture).includes('created file'));
    appendFileSync(at('file'), '3');
    await eventually('modification', () => changesOf(fixture).includes('modified file'));
    expect(changesOf(fixture).every((change) => change.endsWith(' file'))).toBe(true);
  });

  it('serves overlapping watches, each until it is taken back', async () => {
    const fixture = await watching({ recursive: true, prepare: ({ at }) => mkdirSync(at('sub')) });
    const { client, at } = fixture;
    await client.call('fs/watch', { watchId: 'second', path: at('sub') });
    writeFileSync(at('sub/1'), '');
    await eventually('both', () => changesOf(fixture).length > 0 && changesOf(fixture, 'second').length > 0);
    expect(await client.call('fs/unwatch', { watchId: 'w' })).toEqual({});
    expect(await client.call('fs/unwatch', { watchId: 'w' })).toEqual({});
    const seen = changesOf(fixture).length;
    writeFileSync(at('sub/2'), '');
    await eventually('the second', () => changesOf(fixture, 'second').includes('created sub/2'));
    expect(changesOf(fixture)).toHaveLength(seen);
    expect(helpers()).toHaveLength(1);
  });

  it('refuses what is missing, a taken id, and more than its limits', async () => {
    const { client, at, directory } = await setUpWatch({ fs: { maxWatches: 2, maxWatchedDirectories: 3 } });
    expect((await client.refusal('fs/watch', { watchId: 'w', path: at('missing') })).code).toBe(-32004);
    await client.call('fs/watch', { watchId: 'w', path: directory });
    const refused = async (watchId: string, recursive = false) =>
      (await client.refusal('fs/watch', { watchId, path: directory, recursive })).message;
    expect(await refused('w')).toBe('watch `w` already exists');
    mkdirSync(at('a/b/c'), { recursive: true });
    expect(await refused('wide', true)).toBe('a watch covers at most 3 directories');
    await client.call('fs/watch', { watchId: 'x', path: directory });
    expect(await refused('y')).toBe('at most 2 watches may be set per connection');
    const sandbox = {
      permissions: {
        type: 'managed',
        file_system: { type: 'restricted', entries: [] },
        network: 'restricted',
      },
    };
    const restricted = { watchId: 'z', path: directory, sandbox };
    expect((await client.refusal('fs/watch', restricted)).message).toMatch(/sandbox cannot be enforced/);
  });
});

/** Tens of thousands of files are made in no time in memory. */
const inMemory = existsSync('/dev/shm') ? { base: '/dev/shm' } : {};

describe('a storm of changes', () => {
  const burst = (directory: string, count: number) => {
    const program = `const fs = require('node:fs');
      for (let i = 0; i < ${count}; i += 1) fs.closeSync(fs.openSync(process.argv[1] + '/' + i, 'w'));`;
    execFileSync(process.execPath, ['-e', program, directory]);
  };
  const created = (fixture: Fixture) =>
    new Set(changesOf(fixture).flatMap((change) => (change.startsWith('created ') ? [change] : [])));
  const hasOverflow = (fixture: Fixture) => changed(fixture).some(({ overflow }) => overflow === true);

  it('is reported whole, or as an overflow', async () => {
    const fixture = await watching(inMemory);
    const count = 40_000;
    burst(fixture.directory, count);
    await eventually('all or overflow', () => created(fixture).size === count || hasOverflow(fixture));
  });

  it('is reported as an overflow when the kernel had to drop events, and the watch goes on', async () => {
    const fixture = await watching({
      recursive: true,
      ...inMemory,
      prepare: ({ at }) => mkdirSync(at('replaced')),
    });
    const [helper] = helpers() as [number];
    const limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    process.kill(helper, 'SIGSTOP');
    burst(fixture.directory, limit + 100);
    mkdirSync(fixture.at('made-meanwhile'));
    const old = `${fixture.directory}-old`;
    renameSync(fixture.at('replaced'), old);
    onTestFinished(() => rmSync(old, { recursive: true }));
    mkdirSync(fixture.at('replaced'));
    process.kill(helper, 'SIGCONT');
    await eventually('overflow', () => hasOverflow(fixture));
    await eventually('the new directory is watched', () => {
      writeFileSync(fixture.at('made-meanwhile/file'), `${Math.random()}`);
      return changesOf(fixture).some((change) => change.endsWith('made-meanwhile/file'));
    });
    writeFileSync(fixture.at('replaced/file'), '');
    await eventually('the directory that replaced another is watched', () =>
      changesOf(fixture).includes('created replaced/file'),
    );
    writeFileSync(`${old}/elsewhere`, '');
    writeFileSync(fixture.at('replaced/last'), '');
    await eventually('the last', () => changesOf(fixture).includes('created replaced/last'));
    expect(changesOf(fixture).join()).not.toContain('elsewhere');
    expect(readdirSync(fixture.directory)).toHaveLength(limit + 102);
  });

  it('survives the death of the helper, which counts as an overflow', async () => {
    const fixture = await watching({ recursive: true, prepare: ({ at }) => mkdirSync(at('sub')) });
    const [helper] = helpers() as [number];
    await new Promise((resolve) => setTimeout(resolve, 1100));
    process.kill(helper, 'SIGKILL');
    await eventually('overflow', () => hasOverflow(fixture));
    await eventually('another helper', () => helpers().some((pid) => pid !== helper));
    await eventually('changes again', () => {
      writeFileSync(fixture.at('sub/file'), `${Math.random()}`);
      return changesOf(fixture).some((change) => change.endsWith('sub/file'));
    });
  });
});

describe('the helper', () => {
  it('ends when its server is killed', async () => {
    const { directory } = await setUpWatch();
    const program = new URL('./support/watching-program.ts', import.meta.url).pathname;
    const args = ['--conditions=@codex/source', '--import', 'tsx', program, directory];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const helper = await new Promise<number>((resolve) => {
      child.stdout.on('data', (text) => resolve(Number(String(text))));
    });
    expect(readFileSync(`/proc/${helper}/cmdline`, 'utf8')).toContain('--watch');
    child.kill('SIGKILL');
    await eventually('the helper is gone', () => {
      try {
        return !readFileSync(`/proc/${helper}/cmdline`, 'utf8').includes('--watch');
      } catch {
        return true;
      }
    });
  });
});
