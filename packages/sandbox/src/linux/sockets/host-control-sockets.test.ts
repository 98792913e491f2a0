// Real sockets in a home directory.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostControlSockets } from './host-control-sockets.js';

async function listen(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
}

it('key agents and connections of ssh in the home directory are found, and no settings with them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const name of ['.ssh/agent/s.1', '.ssh/me@host:22', '.ssh/sockets/host', '.ssh/cm/host'])
    await listen(join(home, name));
  for (const name of ['.1password/agent.sock', '.bitwarden-ssh-agent.sock', '.emacs.d/server/server'])
    await listen(join(home, name));
  mkdirSync(join(home, '.ssh/config.d'));
  writeFileSync(join(home, '.ssh/config'), '');
  symlinkSync('config.d', join(home, '.ssh/control'));
  const found = (await hostControlSockets([], home)).filter((path) => path.startsWith(home));
  expect(found.map((path) => path.slice(home.length + 1)).sort()).toEqual([
    '.1password/agent.sock',
    '.bitwarden-ssh-agent.sock',
    '.emacs.d/server',
    '.ssh/agent',
    '.ssh/cm',
    '.ssh/me@host:22',
    '.ssh/sockets',
  ]);
});
