// What `fs/watch` under a restriction does not tell, against a workspace that means no good.
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../fs/support/fs-fixture.js';
import { childrenNamed } from './support/helper-processes.js';
import { policyOf, type SandboxFixture } from './support/sandboxed-fs-fixture.js';
import { changesOf, fence, hasOverflow, type Policy, watching } from './support/watch-fixture.js';

describe('what a sandboxed watch does not tell', () => {
  const secrets = (ws: string): (readonly [string, 'write' | 'deny'])[] => [
    [ws, 'write'],
    [join(ws, 'private'), 'deny'],
    [join(ws, 'later'), 'deny'],
    [join(ws, 'one-file'), 'deny'],
    [join(ws, '**/*.secret'), 'deny'],
    [join(ws, 'vault/*'), 'deny'],
  ];
  const secretive: Policy = (ws) => policyOf(ws, secrets(ws));

  /** No word of it in anything that was sent. */
  function expectUnmentioned({ client }: SandboxFixture, ...words: string[]): void {
    const said = JSON.stringify(client.notifications);
    for (const word of words) expect(said).not.toContain(word);
  }

  it('is anything in denied places, old or new', async () => {
    const fixture = await watching(
      (ws) => {
        for (const name of ['private/deep', 'vault', 'sub']) mkdirSync(join(ws, name), { recursive: true });
        for (const name of ['one-file', 'sub/old.secret', 'vault/gold']) writeFileSync(join(ws, name), '');
      },
      { policy: secretive },
    );
    const { ws } = fixture;
    const at = (name: string) => join(ws, name);
    // In what was denied when the helper was started, and in what comes later.
    for (const name of ['private/n1', 'private/deep/n2', 'vault/n3', 'sub/n4.secret', 'n5.secret']) {
      writeFileSync(at(name), 'x');
      appendFileSync(at(name), 'y');
    }
    for (const name of ['one-file', 'sub/old.secret', 'vault/gold']) appendFileSync(at(name), 'z');
    mkdirSync(at('later/n6'), { recursive: true });
    writeFileSync(at('later/n7'), '');
    mkdirSync(at('sub/n8.secret'));
    writeFileSync(at('sub/n8.secret/n9'), '');
    renameSync(at('n5.secret'), at('n10.secret'));
    unlinkSync(at('one-file'));
    rmSync(at('private'), { recursive: true });
    rmSync(at('later'), { recursive: true });
    await fence(fixture);
    expectUnmentioned(fixture, 'private', 'one-file', 'secret', 'vault/', 'later', '/n');
    expect(hasOverflow(fixture)).toBe(false);
    expect(changesOf(fixture)).toEqual(['created fence']);
  });

  it('is where something went that left for a denied place, or where it came from', async () => {
    const fixture = await watching(
      (ws) => {
        for (const name of ['private', 'a/b', 'c']) mkdirSync(join(ws, name), { recursive: true });
        for (const name of ['file', 'private/p']) writeFileSync(join(ws, name), '');
      },
      { policy: secretive },
    );
    const { ws } = fixture;
    const at = (name: string) => join(ws, name);
    renameSync(at('file'), at('file.secret'));
    renameSync(at('a'), at('private/a'));
    writeFileSync(at('private/a/b/n1'), '');
    renameSync(at('c'), at('c.secret'));
    writeFileSync(at('c.secret/n2'), '');
    renameSync(at('private/p'), at('came'));
    await fence(fixture);
    expectUnmentioned(fixture, 'private', 'secret', '/n');
    const seen = changesOf(fixture);
    for (const change of ['removed file', 'removed a', 'removed c', 'created came']) {
      expect(seen).toContain(change);
    }
    // What comes back is new, and watched.
    renameSync(at('c.secret'), at('back'));
    await eventually('the return', () => changesOf(fixture).includes('created back'));
    await eventually('its contents', () => changesOf(fixture).includes('created back/n2'));
    writeFileSync(at('back/more'), '');
    await eventually('what happens in it', () => changesOf(fixture).includes('created back/more'));
    expectUnmentioned(fixture, 'secret');
  });

  it('is anything behind a link', async () => {
    const fixture = await watching((ws, outside) => symlinkSync(outside, join(ws, 'old-link')));
    const { ws, outside } = fixture;
    symlinkSync(outside, join(ws, 'link'));
    symlinkSync(join(outside, 'secret'), join(ws, 'file-link'));
    mkdirSync(join(ws, 'dir'));
    await eventually('dir', () => changesOf(fixture).includes('created dir'));
    rmdirSync(join(ws, 'dir'));
    symlinkSync(outside, join(ws, 'dir'));
    writeFileSync(join(outside, 'n1'), '');
    appendFileSync(join(outside, 'secret'), 'more');
    await fence(fixture);
    expectUnmentioned(fixture, 'n1', 'outside', '/secret', 'modified');
    expect(changesOf(fixture)).toEqual(expect.arrayContaining(['created link', 'created file-link']));
  });

  it.each([false, true])(
    'is what happens in a denied place that it was moved to (link left behind: %s)',
    async (isLinked) => {
      const fixture = await watching((ws) => mkdirSync(join(ws, 'a/watched/sub'), { recursive: true }), {
        policy: (ws) =>
          policyOf(ws, [
            [ws, 'write'],
            [join(ws, '**/hidden/**'), 'deny'],
          ]),
        path: 'a/watched',
      });
      const { ws } = fixture;
      writeFileSync(join(ws, 'a/watched/before'), '');
      await eventually('before', () => changesOf(fixture).includes('created a/watched/before'));
      // Nothing tells the watch of this move: it is not the watched directory that gets another name.
      renameSync(join(ws, 'a'), join(ws, 'hidden'));
      if (isLinked) symlinkSync(join(ws, 'hidden'), join(ws, 'a'));
      writeFileSync(join(ws, 'hidden/watched/n1'), '');
      writeFileSync(join(ws, 'hidden/watched/sub/n2'), '');
      await eventually('its end', () => changesOf(fixture).includes('removed a/watched'));
      writeFileSync(join(ws, 'hidden/watched/n3'), '');
      await new Promise((resolve) => setTimeout(resolve, 200));
      expectUnmentioned(fixture, '/n1', '/n2', '/n3', 'hidden');
    },
  );

  it('is what it could only guess after the kernel has dropped events', async () => {
    const fixture = await watching(
      (ws) => {
        for (const name of ['private', 'moved/below', 'replaced', 'flood']) {
          mkdirSync(join(ws, name), { recursive: true });
        }
      },
      { policy: secretive },
    );
    const { ws } = fixture;
    const at = (name: string) => join(ws, name);
    const [relay = 0] = childrenNamed('--watch');
    process.kill(relay, 'SIGSTOP');
    const limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    for (let n = 0; n < limit + 100; n += 1) writeFileSync(at(`flood/${n % 50}`), `${n}`);
    // The watches are still on these directories, and nothing says where they are.
    for (const name of ['moved', 'replaced']) renameSync(at(name), at(`private/${name}`));
    mkdirSync(at('replaced'));
    process.kill(relay, 'SIGCONT');
    for (let n = 0; n < 200; n += 1) {
      for (const name of ['moved', 'moved/below', 'replaced'])
        writeFileSync(at(`private/${name}/gold`), `${n}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await eventually('overflow', () => hasOverflow(fixture));
    writeFileSync(at('replaced/new'), '');
    await eventually('the new directory is watched', () =>
      changesOf(fixture).includes('created replaced/new'),
    );
    expectUnmentioned(fixture, 'gold', 'private');
  });

  it('is what hides behind links that a workspace swaps directories for all the time', {
    timeout: 30_000,
  }, async () => {
    const fixture = await watching(
      (ws, outside) => {
        const places = [join(ws, 'vault'), join(ws, 'open'), outside];
        for (const place of places) {
          mkdirSync(join(place, 'inner/gold-dir'), { recursive: true });
          for (const name of ['gold-1', 'inner/gold-2', 'inner/gold-3']) writeFileSync(join(place, name), '');
        }
        rmSync(join(ws, 'open/gold-1'));
      },
      // What lies in `open/inner` is hidden by its place: seen through another path it would have another one.
      { policy: (ws) => policyOf(ws, [...secrets(ws), [join(ws, 'open/inner/*'), 'deny']]) },
    );
    const { ws, outside } = fixture;
    const at = (name: string) => join(ws, name);
    const spin = (): void => {
      // Busy for a moment, so that the helper meets every state.
      for (const end = performance.now() + Math.random() * 8; performance.now() < end; );
    };
    for (const end = Date.now() + 4000; Date.now() < end; ) {
      for (const target of [outside, at('vault'), at('open')]) {
        mkdirSync(at('swap/inner'), { recursive: true });
        symlinkSync(target, at('swap-link'));
        spin();
        renameSync(at('swap'), at('swapped'));
        renameSync(at('swap-link'), at('swap'));
        spin();
        writeFileSync(join(target, 'inner/gold-new'), '');
        rmSync(join(target, 'inner/gold-new'));
        unlinkSync(at('swap'));
        rmSync(at('swapped'), { recursive: true });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await fence(fixture);
    expect(changesOf(fixture).length).toBeGreaterThan(100);
    expectUnmentioned(fixture, 'gold', 'outside');
  });
});
