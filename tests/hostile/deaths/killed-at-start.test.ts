// A server that is killed while it starts, or while sandboxed commands start in it, leaves no process and nothing on the disk.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';
import { StartingServer } from '../support/starting-server.js';

const STARTS = rounds({ short: 8, full: 200 });
const KILLS = rounds({ short: 4, full: 60 });
const COMMANDS = 12;

describe('kill -9 of a server', () => {
  it(
    'within 20 ms after its first child was started leaves none',
    async () => {
      let died = 0;
      for (let round = 0; round < STARTS; round++) {
        const server = new StartingServer();
        if (await server.hasChild()) died++;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        await server.kill();
        await expect.poll(() => server.left()).toEqual([]);
      }
      expect(died).toBeGreaterThan(STARTS / 2);
      record('killed while starting', { rounds: STARTS, withChild: died });
    },
    patienceMs,
  );

  it(
    'that tries a bubblewrap which never ends leaves nothing of it',
    async () => {
      const server = new StartingServer('#!/bin/sh\nsleep 1000 & wait\n');
      await expect.poll(() => server.left().join(' '), { timeout: 10_000 }).toContain('sleep 1000');
      await server.kill();
      await expect.poll(() => server.left()).toEqual([]);
    },
    patienceMs,
  );

  it(
    `within 40 ms of ${COMMANDS} sandboxed starts leaves no mount point`,
    async () => {
      for (let round = 0; round < KILLS; round++) {
        const server = await ServerUnderAttack.start();
        const workspace = join(server.scratch, 'workspace');
        const client = await ExecServerClient.connect(server.url, { token: TOKEN, reconnect: false });
        await client.fs.mkdir(workspace);
        const sandbox = workspaceWrite(workspace);
        // The second start of a policy and those after it begin before they are planned.
        for (let known = 0; known < round % 3; known++) await client.run('true', { sandbox, cwd: workspace });
        const starts = Array.from({ length: COMMANDS }, () =>
          client.spawn(round % 2 === 0 ? 'sleep 30' : 'sleep 0.02', { sandbox, cwd: workspace }),
        );
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        server.child.kill('SIGKILL');
        await Promise.allSettled(starts);
        await expect.poll(() => readdirSync(workspace), { timeout: 10_000 }).toEqual([]);
        await client.close();
        await server.end();
      }
      record('killed while sandboxed commands start', { rounds: KILLS, commands: KILLS * COMMANDS });
    },
    patienceMs,
  );
});

describe('the program of a server that lies in a workspace', () => {
  it('is not changed by a command that may write there, nor by its file requests', async () => {
    const server = await ServerUnderAttack.start();
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    if (process.getuid?.() === 0)
      execFileSync('chown', ['-R', '65534:65534', join(server.programFolder, '..')]);
    const program = join(server.programFolder, 'program.bin');
    const before = readFileSync(program);
    const sandbox = workspaceWrite(join(server.programFolder, '..'));
    const script = `printf evil | dd of=${program} conv=notrunc; mv ${server.programFolder} elsewhere; touch ${server.programFolder}/new; echo ran`;
    const result = await client.run(script, { sandbox, cwd: join(server.programFolder, '..') });
    expect(result.stdout.text).toBe('ran\n');
    await expect(client.fs.write(program, 'evil', { sandbox })).rejects.toMatchObject({
      message: expect.any(String),
    });
    expect(readFileSync(program).equals(before)).toBe(true);
    expect(readdirSync(server.programFolder)).not.toContain('new');
    await client.close();
  });
});

function workspaceWrite(root: string) {
  return {
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: [
          { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
          { path: { type: 'path', path: root }, access: 'write' },
        ],
      },
      network: 'restricted',
    },
    cwd: `file://${root}`,
    workspaceRoots: [`file://${root}`],
    windowsSandboxLevel: 'disabled',
  } as const;
}
