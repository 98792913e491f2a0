// The workspace of a sandbox is exchanged for a link to a place outside, again and again, while commands start in it and
// files are written through it. Nothing outside is ever written, and nothing secret read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';

const STARTS = rounds({ short: 60, full: 3000 });

const SWAPPER = `
  const { renameSync, symlinkSync } = require('node:fs');
  const [door, away, link, target] = process.argv.slice(1);
  symlinkSync(target, link);
  process.stdout.write('ready');
  for (;;) {
    try {
      renameSync(door, away); renameSync(link, door);
      renameSync(door, link); renameSync(away, door);
    } catch {}
  }`;

/** The door lies in a directory that commands may write, so that the swapper does what a command could do. */
function workspaceWrite(root: string, door: string) {
  return {
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: [
          { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
          { path: { type: 'path', path: root }, access: 'write' },
          { path: { type: 'path', path: door }, access: 'write' },
        ],
      },
      network: 'restricted',
    },
    cwd: `file://${root}`,
    workspaceRoots: [`file://${root}`],
    windowsSandboxLevel: 'disabled',
  } as const;
}

describe('a workspace that is swapped for a link', () => {
  it(
    'never opens the place behind the link',
    async () => {
      const server = await ServerUnderAttack.start();
      const root = join(server.scratch, 'workspace');
      const door = join(root, 'door');
      const outside = join(server.scratch, 'outside');
      for (const path of [root, door, outside]) {
        mkdirSync(path);
        if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534);
      }
      writeFileSync(join(outside, 'file'), 'untouched');
      chmodSync(join(outside, 'file'), 0o666);
      const swapper = spawn(
        process.execPath,
        ['-e', SWAPPER, door, join(root, 'away'), join(root, 'link'), outside],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      onTestFinished(() => void swapper.kill('SIGKILL'));
      await once(swapper.stdout, 'data');

      const client = await ExecServerClient.connect(server.url, { token: TOKEN });
      const sandbox = workspaceWrite(root, door);
      let ran = 0;
      const attempt = async (n: number): Promise<void> => {
        const script = `echo planted > ${door}/file; echo planted > ${door}/new-${n}; echo ran`;
        const result = await client.run(script, { sandbox, cwd: '/' }).catch(() => undefined);
        if (result?.stdout.text.includes('ran')) ran++;
      };
      for (let n = 0; n < STARTS; n += 4) await Promise.all([0, 1, 2, 3].map((more) => attempt(n + more)));
      swapper.kill('SIGKILL');
      await once(swapper, 'exit');
      await client.close();

      expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('untouched');
      await expect.poll(() => readdirSync(outside), { timeout: 10_000 }).toEqual(['file']);
      record('swaps', { starts: STARTS, ran });
      expect(ran, 'some commands must have run, or nothing was tried').toBeGreaterThan(STARTS / 10);
      expect(server.isAlive, server.stderr.slice(-2000)).toBe(true);
    },
    patienceMs,
  );
});
