// The machine has too little of something. Requests may fail then, with an error that says so; the server lives, serves
// what it can, and is whole again when the shortage is over.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient, ExecServerError } from '@codex/exec-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';

const isRoot = process.getuid?.() === 0;

async function answers(client: ExecServerClient): Promise<void> {
  const { stdout } = await client.run(['echo', 'still here']);
  expect(stdout.text).toBe('still here\n');
}

describe('without', () => {
  it('descriptors, starts fail one by one and later ones work', async () => {
    const server = await ServerUnderAttack.start({ before: 'ulimit -n 64;' });
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => client.run('sleep 0.3; echo done')),
    );
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ExecServerError);
      else expect(result.value.stdout.text).toBe('done\n');
    }
    await answers(client);
    await client.close();
  });

  it.runIf(isRoot)('room on the disk, a write fails by name and leaves no piece', async () => {
    const server = await ServerUnderAttack.start();
    const disk = join(server.scratch, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=1777', 'tmpfs', disk]);
    onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    await client.fs.write(join(disk, 'kept'), 'before');
    await expect(client.fs.write(join(disk, 'large'), 'x'.repeat(2_000_000))).rejects.toThrow(
      /space|ENOSPC/i,
    );
    await expect(
      client.fs.write(join(disk, 'kept'), 'x'.repeat(2_000_000), { atomic: true }),
    ).rejects.toThrow(/space|ENOSPC/i);
    expect(await client.fs.readText(join(disk, 'kept'))).toBe('before');
    await answers(client);
    await client.close();
  });

  it('a reader of its log, it goes on', async () => {
    const server = await ServerUnderAttack.start({ args: ['--log-level', 'debug'] });
    server.child.stderr?.destroy();
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    for (let count = 0; count < 20; count++) await answers(client);
    await client.close();
    expect(server.isAlive).toBe(true);
  });

  it('memory for everything that is printed, it keeps what it promised and no more', async () => {
    const server = await ServerUnderAttack.start({
      args: ['--retained-output-bytes-per-process', '1000000'],
    });
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    const floods = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.spawn('head -c 30000000 /dev/zero', { bufferBytes: 1_000_000 }),
      ),
    );
    const results = await Promise.all(floods.map((flood) => flood.result()));
    for (const { stdout } of results) expect(stdout.totalBytes).toBe(30_000_000);
    expect(server.residentMegabytes()).toBeLessThan(400);
    await answers(client);
    await client.close();
  });
});
