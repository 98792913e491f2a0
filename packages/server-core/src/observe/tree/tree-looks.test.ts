import type { ObserveTreeResult } from '@codex/exec-protocol';
import { expect, it } from 'vitest';
import { ManualClock, settle } from '../../../test-support/manual-clock.js';
import { TreeLooks, type TreeRoot } from './tree-looks.js';

const NOTHING: ObserveTreeResult = { known: true, members: [], omitted: 0 };

function setUp() {
  const clock = new ManualClock();
  const begun: TreeRoot[] = [];
  const ends: (() => void)[] = [];
  const root = (): TreeRoot => {
    const own: TreeRoot = {
      members: () => {
        begun.push(own);
        return new Promise((resolve) => ends.push(() => resolve([])));
      },
    };
    return own;
  };
  const looks = new TreeLooks({ clock, describe: () => Promise.resolve(NOTHING), now: () => clock.now() });
  return { clock, begun, ends, root, looks };
}

it('one tree is looked at at a time, and then none for four times as long', async () => {
  const { clock, begun, ends, root, looks } = setUp();
  const [a, b] = [root(), root()];
  const first = looks.look(a);
  const second = looks.look(b);
  await settle();
  await clock.advance(30);
  expect(begun).toEqual([a]);
  ends[0]?.();
  expect(await first).toEqual(NOTHING);
  await settle();
  await clock.advance(119);
  expect(begun).toEqual([a]);
  await clock.advance(1);
  expect(begun).toEqual([a, b]);
  ends[1]?.();
  expect(await second).toEqual(NOTHING);
});

it('who asks for one that waits is given the same answer; who asks later, one that was made later', async () => {
  const { clock, begun, ends, root, looks } = setUp();
  const [a, b] = [root(), root()];
  void looks.look(a);
  await clock.advance(1);
  const [one, other] = [looks.look(b), looks.look(b)];
  expect(other).toBe(one);
  expect(looks.look(a)).not.toBe(looks.look(b));
  ends[0]?.();
  await settle();
  await clock.advance(500);
  expect(begun).toEqual([a, b]);
});

it('one that fails is told to who asked, and is in nobody else’s way', async () => {
  const { clock, begun, root, looks } = setUp();
  const failing: TreeRoot = { members: () => Promise.reject(new TypeError('no descriptor')) };
  const failed = looks.look(failing);
  const a = root();
  void looks.look(a);
  await expect(failed).rejects.toThrow('no descriptor');
  await clock.advance(1);
  expect(begun).toEqual([a]);
});
