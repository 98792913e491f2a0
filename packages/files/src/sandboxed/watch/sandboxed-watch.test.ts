import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { errnoError, otherError } from '../../fs-error.js';
import type { WatchNews } from '../../helper-protocol/helper-messages.js';
import { type RequestedPolicy, readPolicy } from '../policy/requested-policy.js';
import type { HelperProcess, WatchListener } from '../pool/helper-process.js';
import { SandboxedWatch } from './sandboxed-watch.js';

let base = '';
let ws = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sandboxed-watch-')));
  ws = join(base, 'ws');
  mkdirSync(ws);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** One helper after another; `answers` says what becomes of each set-up, and none means it works. */
async function watching(answers: (Error | undefined)[] = []) {
  const clock = new ManualClock();
  const told: string[] = [];
  const listeners: WatchListener[] = [];
  const ended: number[] = [];
  const helper = {
    isLost: false,
    subscribe: (listener: WatchListener) => listeners.push(listener),
    unsubscribe: (watch: number) => ended.push(watch),
    call: async ({ operation }: { operation: string }) => {
      const failure = operation === 'watch' ? answers.shift() : undefined;
      if (failure !== undefined) throw failure;
      return {};
    },
  } as unknown as HelperProcess;
  const watch = await SandboxedWatch.start({
    source: { use: (act) => act(helper), hold: () => () => undefined },
    policy: readPolicy(
      {
        permissions: {
          type: 'managed',
          file_system: {
            type: 'restricted',
            entries: [{ path: { type: 'path', path: ws }, access: 'read' }],
          },
          network: 'restricted',
        },
        cwd: ws,
      },
      { cwd: ws, tmpdir: undefined },
    ) as RequestedPolicy,
    clock,
    target: {
      path: ws,
      recursive: true,
      maxDirectories: 10,
      changes: {
        add: (kind, path) => told.push(`${kind} ${String(path)}`),
        rename: (previous, path) => told.push(`renamed ${String(previous)} ${String(path)}`),
        losing: () => undefined,
        overflow: () => told.push('overflow'),
      },
    },
  });
  const say = (news: WatchNews, number = listeners.length) => listeners[number - 1]?.news(news);
  const lose = () => listeners.at(-1)?.lost();
  return { watch, clock, told, say, lose, ended, setUps: () => listeners.length };
}

/** Real looks at real paths lie in between. */
async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 2000; !isSo() && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(isSo()).toBe(true);
}

const created = (path: string): WatchNews => ({ type: 'changes', changes: [['created', path]] });

describe('a watch in helpers', () => {
  it('tells what its helper tells', async () => {
    const { told, say, watch } = await watching();
    say({
      type: 'changes',
      changes: [
        ['created', '/a'],
        ['renamed', '/c', '/b'],
      ],
    });
    say({ type: 'overflow' });
    await until(() => told.length === 3);
    expect(told).toEqual(['created /a', 'renamed /b /c', 'overflow']);
    watch.end();
    say(created('/late'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(told).toHaveLength(3);
  });

  it('is set up again when its helper is lost, and only then says so', async () => {
    const { told, lose, say, setUps } = await watching();
    lose();
    await until(() => told.length === 1);
    expect([told, setUps()]).toEqual([['overflow'], 2]);
    say(created('/of-the-lost-one'), 1);
    say(created('/new'));
    await until(() => told.length === 2);
    expect(told[1]).toBe('created /new');
  });

  it('tries again, and less and less often, while no helper can be had', async () => {
    const failures = Array.from({ length: 4 }, () => otherError('no helper'));
    const { told, lose, clock, setUps } = await watching([undefined, ...failures]);
    lose();
    for (const [index, wait] of [250, 500, 1000, 2000].entries()) {
      await until(() => setUps() === 2 + index);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(wait - 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(setUps()).toBe(2 + index);
      await clock.advance(1);
    }
    await until(() => told.length === 1);
    expect(told).toEqual(['overflow']);
  });

  it('says that there is nothing to watch, and waits for the granted path', async () => {
    const { told, lose, clock, setUps } = await watching([undefined, errnoError('ENOENT')]);
    lose();
    await until(() => told.length === 2);
    expect(told).toEqual([`removed ${ws}`, 'overflow']);
    await clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(setUps()).toBe(2);
    renameSync(ws, `${ws}-old`);
    mkdirSync(ws);
    await clock.advance(1000);
    await until(() => told.length === 3);
    expect([told[2], setUps()]).toEqual(['overflow', 3]);
  });

  it('drops what it is told once the granted path is another directory', async () => {
    const { told, say, setUps, ended } = await watching();
    renameSync(ws, `${ws}-old`);
    mkdirSync(ws);
    say(created('/in-the-old-one'));
    await until(() => told.length === 1);
    expect([told, setUps(), ended]).toEqual([['overflow'], 2, [1]]);
  });

  it('does not trust a helper that talks nonsense', async () => {
    const { told, say, setUps } = await watching();
    say({ type: 'changes', changes: 7 } as unknown as WatchNews);
    await until(() => told.length === 1);
    expect([told, setUps()]).toEqual([['overflow'], 2]);
  });
});
