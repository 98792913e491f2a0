// Sockets through which a command of the same user runs programs outside, with the network on: real servers, real clients.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readOnly, type SandboxPolicy, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

/** What the wire's `enabled` means. */
const withSockets: SandboxPolicy = workspaceWrite({ network: 'enabled', unixSockets: 'host' });
const withoutSockets: SandboxPolicy = workspaceWrite({ network: 'enabled' });

describe.each(users)('control sockets of the host, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  let tmux: string;
  let agent: string;
  let elsewhere: string;
  let agents: string[] = [];
  const mark = () => existsSync(`${ws}/../${ws.split('/').pop()}.escaped`);
  beforeAll(async () => {
    user = new SandboxUser(uid);
    ws = user.directory();
    tmux = mkdtempSync('/tmp/tmux-test-');
    agent = mkdtempSync('/tmp/ssh-test-');
    elsewhere = user.directory();
    execFileSync('chown', [`${uid}:${uid}`, tmux, agent]);
    const started = await user.host(
      ws,
      `SHELL=/bin/sh tmux -S ${tmux}/default -f /dev/null new-session -d 'sleep 1000' && ssh-agent -a ${agent}/agent.1 | grep -o 'pid [0-9]*' && ssh-agent -a ${elsewhere}/agent | grep -o 'pid [0-9]*'`,
    );
    expect(started.code, started.output).toBe(0);
    agents = [...started.output.matchAll(/pid (\d+)/g)].map(([, pid = '']) => pid);
  });
  afterAll(async () => {
    await user.host(ws, `tmux -S ${tmux}/default kill-server; kill ${agents.join(' ')}`);
    for (const path of [tmux, agent]) rmSync(path, { recursive: true, force: true });
    rmSync(`/var/tmp/${ws.split('/').pop()}.escaped`, { force: true });
    await user.close();
  });
  const outside = () => `/var/tmp/${ws.split('/').pop()}.escaped`;
  const tmuxAttack = () => `tmux -S ${tmux}/default run-shell 'touch ${outside()}'`;
  const shell = (policy: SandboxPolicy, script: string, env: Record<string, string> = {}) =>
    user.run({
      argv: ['/bin/sh', '-c', script],
      cwd: ws,
      policy,
      env: { PATH: '/usr/bin:/bin', HOME: ws, LC_ALL: 'C', ...env },
      timeoutMs: 20_000,
    });

  it('tmux runs nothing outside', async () => {
    for (const policy of [withSockets, withoutSockets]) {
      expect((await shell(policy, tmuxAttack())).exitCode).not.toBe(0);
      expect(mark()).toBe(false);
    }
    expect((await user.host(ws, tmuxAttack())).code).toBe(0);
    await expect.poll(mark).toBe(true);
    rmSync(outside());
  });

  it('key agents are out of reach: by their usual place, by a variable, by a link', async () => {
    await user.host(ws, `ln -sf ${elsewhere}/agent ${ws}/link`);
    for (const socket of [`${agent}/agent.1`, `${elsewhere}/agent`, `${ws}/link`]) {
      // ssh-add ends with 1 when the agent answers that it has no keys, with 2 when there is none.
      const env = { SSH_AUTH_SOCK: socket };
      expect((await user.host(ws, `SSH_AUTH_SOCK=${socket} ssh-add -l`)).code).toBe(1);
      for (const policy of [withSockets, withoutSockets])
        expect((await shell(policy, 'ssh-add -l', env)).exitCode).toBe(2);
    }
  });

  it('the policy opens one by naming it', async () => {
    const socket = `${agent}/agent.1`;
    const named = readOnly({ network: 'enabled', sockets: [socket] });
    expect((await shell(named, 'ssh-add -l', { SSH_AUTH_SOCK: socket })).exitCode).toBe(1);
    expect((await shell(named, tmuxAttack())).exitCode).not.toBe(0);
    expect(mark()).toBe(false);
  });

  it('a link among them hides nothing else', async () => {
    const link = `/tmp/tmux-link-${process.pid}`;
    const folder = `${ws}/plain`;
    mkdirSync(folder);
    writeFileSync(`${folder}/file`, 'seen');
    symlinkSync(folder, link);
    try {
      expect((await shell(withSockets, `cat ${folder}/file`)).stdout).toBe('seen');
    } finally {
      rmSync(link);
    }
  });

  it('without unix sockets: no abstract one, TCP and pairs work', async () => {
    const script = `import socket, os
try:
    socket.socket(socket.AF_UNIX).connect('\\0anything')
except OSError as error:
    print(error.errno)
a, b = socket.socketpair()
a.send(b'pair')
print(b.recv(4).decode())
s = socket.create_server(('127.0.0.1', 0))
c = socket.create_connection(s.getsockname())
s.accept()[0].send(b'tcp')
print(c.recv(3).decode())`;
    const result = await user.run({
      argv: ['/usr/bin/python3', '-c', script],
      cwd: ws,
      policy: withoutSockets,
    });
    expect(result.stdout).toBe('1\npair\ntcp\n');
    const node = `require('child_process').spawn(process.execPath, ['-e', "process.send('ipc')"], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }).on('message', (m) => console.log(m))`;
    const forked = await user.run({ argv: ['node', '-e', node], cwd: ws, policy: withoutSockets });
    expect(forked.stdout).toBe('ipc\n');
  });
});
