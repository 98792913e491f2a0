// A directory that another process keeps swapping for a link, to a place outside and to one that a glob denies, while
// thousands of requests go through it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RpcError } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { times } from '../process/support/soak.js';
import { base64, policyOf, setUpSandboxed, text } from './support/sandboxed-fs-fixture.js';

const REQUESTS = times({ usual: 2000, soak: 10_000 });
const BATCH = 100;

/** Renames `door` away and the link into its place, and back, as fast as it can. */
const SWAPPER = `
  const { renameSync } = require('node:fs');
  const [door, away, link] = process.argv.slice(1);
  process.stdout.write('ready');
  for (;;) {
    renameSync(door, away); renameSync(link, door);
    renameSync(door, link); renameSync(away, door);
  }`;

describe('a directory that is swapped for a link during the requests', () => {
  it.each(['outside of the workspace', 'to a denied place inside'])('%s never opens it', async (where) => {
    const { client, ws, outside } = await setUpSandboxed();
    const sandbox = policyOf(ws, [
      [ws, 'write'],
      [`${ws}/*.denied`, 'deny'],
    ]);
    const read = (path: string) =>
      client.call<{ dataBase64: string }>('fs/readFile', { path, sandbox }).then(text);
    expect(await read(join(ws, 'inside'))).toBe('inside');
    // It appears after the mounts were made, so that only the check inside the helper keeps it.
    const target = where.startsWith('outside') ? outside : join(ws, 'late.denied');
    if (!existsSync(target)) mkdirSync(target);
    writeFileSync(join(target, 'file'), 'secret');
    const door = join(ws, 'door');
    mkdirSync(door);
    writeFileSync(join(door, 'file'), 'harmless');
    symlinkSync(target, join(ws, 'link'));
    const swapper = spawn(process.execPath, ['-e', SWAPPER, door, join(ws, 'away'), join(ws, 'link')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(swapper, 'exit');
    await once(swapper.stdout, 'data');

    const seen = new Map<string, number>();
    const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const before = readdirSync(target).sort();
    const dataBase64 = base64('planted');
    const requests: ((n: number) => Promise<unknown>)[] = [
      ...Array.from({ length: 12 }, () => () => read(join(door, 'file')).then(note)),
      () => client.call('fs/getMetadata', { path: join(door, 'file'), sandbox }),
      () => client.call('fs/readDirectory', { path: door, sandbox }),
      (n) => client.call('fs/writeFile', { path: join(door, `new-${n % 50}`), dataBase64, sandbox }),
      () =>
        client.call('fs/writeFile', { path: join(door, 'file'), dataBase64: base64('harmless'), sandbox }),
      (n) =>
        client.call('fs/writeFile', { path: join(door, `new-${n % 50}`), dataBase64, atomic: true, sandbox }),
      (n) =>
        client.call('fs/createDirectory', { path: join(door, `dir-${n % 50}`), recursive: false, sandbox }),
      () =>
        client.call('fs/copy', {
          sourcePath: join(door, 'file'),
          destinationPath: join(ws, 'copy'),
          recursive: false,
          sandbox,
        }),
      () =>
        client.call('fs/copy', {
          sourcePath: join(ws, 'inside'),
          destinationPath: join(door, 'copied'),
          recursive: false,
          sandbox,
        }),
      (n) => client.call('fs/remove', { path: join(door, `new-${n % 50}`), recursive: true, sandbox }),
    ];
    try {
      for (let n = 0; n < REQUESTS; n += BATCH) {
        const batch = Array.from({ length: BATCH }, (_, index) =>
          Promise.resolve(requests[(n + index) % requests.length]?.(n)).catch((error: unknown) => {
            if (!(error instanceof RpcError)) throw error;
            note('refused');
          }),
        );
        await Promise.all(batch);
        if (existsSync(join(ws, 'copy')))
          expect(readFileSync(join(ws, 'copy'), 'utf8')).not.toContain('secret');
      }
    } finally {
      swapper.kill('SIGKILL');
      const [, signal] = await exited;
      expect(signal).toBe('SIGKILL');
    }
    expect(seen.get('secret')).toBeUndefined();
    // Both sides of the swap were met, or the test shows nothing.
    expect(seen.get('harmless')).toBeGreaterThan(20);
    expect(seen.get('refused')).toBeGreaterThan(20);
    expect(readdirSync(target).sort()).toEqual(before);
    expect(readFileSync(join(target, 'file'), 'utf8')).toBe('secret');
  });
});
