// Commands that turn against their supervisor, as root and as an ordinary user: their trees end all the same.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { programForAnyone } from '../program-for-anyone.js';
import { infoOf, isAlive, launcherProcessesBelow } from './support/launcher-processes.js';
import { processesWith, uniqueSleep, until } from './support/run-command.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
let folder = '';
let hostile = '';
let program = '';
const servers: ChildProcess[] = [];
const tokens: string[] = [];
const ours: number[] = [];

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it is gone, as it should be
  }
}

beforeAll(() => {
  folder = mkdtempSync('/var/tmp/hostile-');
  chmodSync(folder, 0o755);
  hostile = join(folder, 'hostile');
  execFileSync('cc', ['-O2', '-o', hostile, fileURLToPath(new URL('./fixtures/hostile.c', import.meta.url))]);
  program = programForAnyone(fileURLToPath(new URL('./fixtures/hostile-server.ts', import.meta.url)));
}, 60_000);
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
  // What a failing test has left would burn the machine's time.
  for (const pid of [...ours.splice(0), ...tokens.splice(0).flatMap(processesWith)]) kill(pid);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Doomed {
  readonly server: ChildProcess;
  readonly token: string;
  said(): string;
}

async function startServer(user: string, io: string, attack: string): Promise<Doomed> {
  const token = uniqueSleep();
  const server = spawn(process.execPath, [program, io, attack, token, hostile], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(user === 'user' && isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  servers.push(server);
  tokens.push(token);
  let text = '';
  server.stdout.on('data', (block: Buffer) => {
    text += block.toString();
  });
  await until(() => text.includes('up\n'), 'the command is up', 30_000);
  ours.push(...launcherProcessesBelow(server.pid ?? 0));
  return { server, token, said: () => text };
}

const treeOf = ({ token, server }: Doomed): number[] =>
  processesWith(token).filter((pid) => pid !== server.pid);

const users = isRoot ? ['root', 'user'] : ['user'];
const ios = ['pipe', 'pty'];
/** Every attack on both kinds of io; as both users only under SOAK, otherwise by turns. */
const matrix = (attacks: readonly string[]): [string, string, string][] =>
  attacks
    .flatMap((attack) =>
      ios.flatMap((io) => users.map((user): [string, string, string] => [attack, io, user])),
    )
    .filter(
      (_, index) => process.env['SOAK'] !== undefined || users.length === 1 || [0, 3].includes(index % 4),
    );

const EACH = ['descriptors', 'limits', 'time', 'storm', 'killed'];

describe('a tree whose supervisor is attacked ends when it is to', () => {
  it.each(matrix(EACH))('%s on a %s as %s', { timeout: 15_000 }, async (attack, io, user) => {
    const doomed = await startServer(user, io, attack);
    doomed.server.stdin?.write('end\n');
    await until(() => treeOf(doomed).length === 0, 'the tree is gone', 8000);
    await until(() => doomed.said().includes('gone '), 'it is told', 3000);
    expect(doomed.said()).toContain('"signal":"SIGKILL"');
  });
});

describe('a tree whose supervisor was made deaf', () => {
  it.each(matrix(['descriptors']))(
    'ends by itself (%s on a %s as %s)',
    { timeout: 15_000 },
    async (attack, io, user) => {
      const doomed = await startServer(user, io, attack);
      await until(() => treeOf(doomed).length === 0, 'the tree is gone', 5000);
      await until(() => doomed.said().includes('"supervisorLost":true'), 'it is told', 3000);
    },
  );
});

describe('a tree whose supervisor is attacked ends with the server, and so does all of the launcher', () => {
  it.each(matrix(EACH))('%s on a %s as %s', { timeout: 15_000 }, async (attack, io, user) => {
    const doomed = await startServer(user, io, attack);
    const started = [...ours];
    expect(started.length).toBeGreaterThan(0);
    doomed.server.kill('SIGKILL');
    await until(() => treeOf(doomed).length === 0, 'the tree is gone', 8000);
    await until(() => !started.some(isAlive), 'the launcher is gone', 3000);
  });
});

describe('a daemon whose supervisor is killed', () => {
  it.each(matrix(['killed', 'unguarded', 'besieged']))(
    'does not go on (%s on a %s as %s)',
    { timeout: 15_000 },
    async (attack, io, user) => {
      const doomed = await startServer(user, io, attack);
      await until(() => doomed.said().includes('"supervisorLost":true'), 'it is told');
      await until(() => treeOf(doomed).length === 0, 'the daemon is gone', 6000);
    },
  );
});

describe('a chain of forks', () => {
  /** Children of `parent`, zombies included. */
  const countChildren = (parent: number): number => {
    try {
      return readFileSync(`/proc/${parent}/task/${parent}/children`, 'latin1').split(' ').length - 1;
    } catch {
      return 0;
    }
  };

  it.each([...matrix(['chain']), ...matrix(['chain'])])(
    '%s on a %s as %s leaves few zombies while it is ended',
    { timeout: 15_000 },
    async (attack, io, user) => {
      const doomed = await startServer(user, io, attack);
      const [link = 0] = treeOf(doomed);
      expect(infoOf(link)).toBeDefined();
      doomed.server.stdin?.write('end\n');
      let most = 0;
      await until(
        () => {
          for (const pid of ours) most = Math.max(most, countChildren(pid));
          // A failing test must not fill the process table.
          if (most > 3000) throw new Error(`${most} zombies`);
          return doomed.said().includes('gone ');
        },
        'the chain is ended',
        8000,
      );
      expect(treeOf(doomed)).toEqual([]);
      expect(most).toBeLessThan(500);
    },
  );
});
