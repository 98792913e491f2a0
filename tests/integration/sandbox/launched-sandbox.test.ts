// Sandboxed commands under the launcher: signals, terminals, descriptors, the end of the tree, and who connects.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createLauncher, type LaunchedProcess } from '@codex/launcher';
import {
  type PreparedSandbox,
  prepareSandbox,
  SandboxedTrees,
  type SandboxRequest,
  workspaceWrite,
} from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser } from './sandbox-user.js';

const launcher = createLauncher();

interface Running {
  readonly prepared: PreparedSandbox;
  readonly process: LaunchedProcess;
  readonly output: () => string;
}

describe('under the launcher', () => {
  let user: SandboxUser;
  let ws: string;
  const trees: LaunchedProcess[] = [];
  beforeAll(() => {
    user = new SandboxUser(process.getuid?.() ?? 0);
    ws = user.directory();
  });
  afterAll(async () => {
    for (const process of trees) process.killTree();
    await Promise.all(trees.map((process) => process.treeGone));
    await user.close();
  });

  const start = async (argv: string[], options: Partial<SandboxRequest> = {}): Promise<Running> => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', PS1: '$ ', LC_ALL: 'C' };
    const prepared = await prepareSandbox({
      argv,
      cwd: ws,
      env,
      policy: workspaceWrite(),
      dieWithParent: false,
      ...options,
    });
    const io =
      options.terminal === true
        ? ({ type: 'pty', rows: 24, cols: 80 } as const)
        : ({ type: 'pipe', stdin: 'open' } as const);
    const { argv: wrapped, cwd, env: wrapperEnv, inheritFds } = prepared;
    const process = await launcher.launch({ argv: wrapped, cwd, env: wrapperEnv, inheritFds, io });
    prepared.started({ pid: process.pid });
    trees.push(process);
    let text = '';
    for (const output of process.outputs)
      output.start(
        (block) => {
          text += block.toString('utf8');
        },
        () => undefined,
      );
    return { prepared, process, output: () => text };
  };

  it('runs a command and reports that it was started', async () => {
    const { prepared, process, output } = await start(['/bin/sh', '-c', 'echo out; exit 3']);
    const exit = await process.exited;
    expect(exit).toMatchObject({ code: 3 });
    await expect.poll(output).toBe('out\n');
    const end = prepared.finish(exit);
    expect(end).toMatchObject({ commandStarted: true, violations: [] });
    await end.cleanup;
    expect(readdirSync(ws)).not.toContain('.git');
  });

  it('tells a sandbox that could not start the command from a command that failed', async () => {
    const { prepared, process } = await start(['/nonexistent/program']);
    const exit = await process.exited;
    expect(exit.code).toBe(1);
    expect(prepared.finish(exit).commandStarted).toBe(false);
    const failing = await start(['/bin/sh', '-c', 'exit 1']);
    expect(failing.prepared.finish(await failing.process.exited).commandStarted).toBe(true);
    const killed = await start(['/bin/sh', '-c', 'echo ready; sleep 1005.5']);
    await expect.poll(killed.output).toBe('ready\n');
    killed.process.killTree();
    expect(killed.prepared.finish(await killed.process.exited).commandStarted).toBe(true);
  });

  it('a signal reaches the command, its trap runs and its exit code counts', async () => {
    const { prepared, process, output } = await start([
      '/bin/sh',
      '-c',
      'trap "echo trapped; exit 9" TERM; echo ready; while :; do sleep 0.05; done',
    ]);
    await expect.poll(output).toBe('ready\n');
    expect(prepared.commandPid()).toBeGreaterThan(0);
    process.signal('SIGTERM', 'descendants');
    expect(await process.exited).toMatchObject({ code: 9 });
    expect(output()).toContain('trapped');
    prepared.finish();
  });

  it('the pid of the command can be signalled directly', async () => {
    const { prepared, process, output } = await start([
      '/bin/sh',
      '-c',
      'trap "exit 11" USR1; echo ready; while :; do sleep 0.05; done',
    ]);
    await expect.poll(output).toBe('ready\n');
    globalThis.process.kill(prepared.commandPid() ?? 0, 'SIGUSR1');
    expect(await process.exited).toMatchObject({ code: 11 });
    prepared.finish();
    expect(prepared.commandPid()).toBeUndefined();
  });

  it('Ctrl-C on the terminal runs the trap of the command and leaves the sandbox alone', async () => {
    const { process, output, prepared } = await start(
      ['/bin/sh', '-c', 'trap "echo interrupted; exit 5" INT; echo ready; while :; do sleep 0.05; done'],
      { terminal: true },
    );
    await expect.poll(output).toContain('ready');
    await process.input?.write(Buffer.from([3]));
    expect(await process.exited).toMatchObject({ code: 5 });
    expect(output()).toContain('interrupted');
    prepared.finish();
  });

  it('an interactive shell has job control on its terminal', async () => {
    const { process, output, prepared } = await start(['/bin/bash', '--norc', '-i'], { terminal: true });
    const type = (text: string) => process.input?.write(Buffer.from(text));
    await expect.poll(output).toContain('$ ');
    await type('sleep 1001.5\n');
    await expect.poll(() => hostPidsOf('sleep1001.5').length).toBe(1);
    await type('\x1a');
    await expect.poll(output, { timeout: 5000 }).toContain('Stopped');
    await type('kill %1; fg; echo status $?\n');
    await expect.poll(output, { timeout: 5000 }).toMatch(/status 14[37]/);
    expect(output()).not.toContain('no job control');
    await type('sleep 1002.5\n');
    await expect.poll(() => hostPidsOf('sleep1002.5').length).toBe(1);
    await type('\x03');
    await expect.poll(() => hostPidsOf('sleep1002.5').length).toBe(0);
    await type('exit 4\n');
    expect(await process.exited).toMatchObject({ code: 4 });
    prepared.finish();
  });

  it('background processes live on after the command and end with the tree', async () => {
    const { process, prepared } = await start([
      '/bin/sh',
      '-c',
      'sleep 1003.5 > /dev/null 2>&1 & echo $! > background',
    ]);
    expect(await process.exited).toMatchObject({ code: 0 });
    // The shell may end before its child has become the program it starts.
    await expect.poll(() => hostPidsOf('sleep1003.5')).toHaveLength(1);
    process.killTree();
    await process.treeGone;
    expect(hostPidsOf('sleep1003.5')).toEqual([]);
    prepared.finish();
  });

  it('leaves no descriptor and no directory behind after many commands', async () => {
    const count = (): number => readdirSync('/proc/self/fd').length;
    const once = async (): Promise<void> => {
      const { prepared, process } = await start(['/bin/true']);
      await process.exited;
      await process.treeGone;
      await prepared.finish().cleanup;
    };
    await once();
    const before = count();
    await Promise.all(Array.from({ length: 12 }, once));
    await expect.poll(count).toBeLessThanOrEqual(before);
    expect(readdirSync(ws)).not.toContain('.git');
  });

  it('a name for the command itself is passed through', async () => {
    const { process, output, prepared } = await start(['/bin/sh', '-c', 'echo $0'], { arg0: 'renamed' });
    await process.exited;
    await expect.poll(output).toBe('renamed\n');
    prepared.finish();
  });

  it('a peer inside cannot answer while the sandboxes stand still, and goes on afterwards', async () => {
    const sandboxes = new SandboxedTrees();
    const accepted: Socket[] = [];
    const server = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const policy = workspaceWrite({ network: 'enabled' });
    const echo = `exec 3<>/dev/tcp/127.0.0.1/${port}; while read -r line <&3; do echo "$line" >&3; done`;
    const { process, prepared } = await start(['/bin/bash', '-c', `(${echo}) & wait`], { policy });
    const remove = sandboxes.add(process.pid);
    const answers = (socket: Socket) => (): Promise<boolean> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), 400);
        socket.once('data', () => {
          clearTimeout(timer);
          resolve(true);
        });
        socket.write('ping\n');
      });
    await expect.poll(() => accepted.length).toBe(1);
    const inside = accepted[0] as Socket;
    expect(await answers(inside)()).toBe(true);
    expect(await sandboxes.refuseSilentPeer(answers(inside))).toContain('inside a sandbox');
    await once(inside, 'data');
    expect(await answers(inside)()).toBe(true);
    const client = connect(port, '127.0.0.1').on('data', (data) => client.write(data));
    await expect.poll(() => accepted.length).toBe(2);
    expect(await sandboxes.refuseSilentPeer(answers(accepted[1] as Socket))).toBeUndefined();
    remove();
    client.destroy();
    process.killTree();
    await process.treeGone;
    for (const socket of accepted) socket.destroy();
    server.close();
    prepared.finish();
  });

  it('a job in an interactive shell does not notice that it stood still', async () => {
    const sandboxes = new SandboxedTrees();
    const { process, output, prepared } = await start(['/bin/bash', '--norc', '-i'], { terminal: true });
    const remove = sandboxes.add(process.pid);
    await expect.poll(output).toContain('$ ');
    await process.input?.write(Buffer.from('sleep 1004.5\n'));
    await expect.poll(() => hostPidsOf('sleep1004.5').length).toBe(1);
    expect(await sandboxes.refuseSilentPeer(() => Promise.resolve(true))).toBeUndefined();
    await process.input?.write(Buffer.from([3]));
    await expect.poll(() => hostPidsOf('sleep1004.5').length).toBe(0);
    await process.input?.write(Buffer.from('exit 6\n'));
    expect(await process.exited).toMatchObject({ code: 6 });
    expect(output()).not.toContain('Stopped');
    remove();
    prepared.finish();
  });

  it('a connection from inside is told from one outside', async () => {
    const sandboxes = new SandboxedTrees();
    const accepted: Socket[] = [];
    const server = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { process, prepared } = await start(
      ['/bin/bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; sleep 100`],
      { policy: workspaceWrite({ network: 'enabled' }) },
    );
    const remove = sandboxes.add(process.pid);
    await expect.poll(() => accepted.length).toBe(1);
    const inode = inodeOf(accepted[0]?.remotePort ?? 0, port);
    expect(sandboxes.holderOf(inode)).toBe('inside');
    expect(sandboxes.refusePeer(inode)).toContain('inside a sandbox');
    const outside = connect(port, '127.0.0.1');
    await expect.poll(() => accepted.length).toBe(2);
    expect(sandboxes.refusePeer(inodeOf(accepted[1]?.remotePort ?? 0, port))).toBeUndefined();
    remove();
    outside.destroy();
    process.killTree();
    await process.treeGone;
    for (const socket of accepted) socket.destroy();
    server.close();
    prepared.finish();
  });
});

function hostPidsOf(commandLine: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', '') === commandLine;
      } catch {
        return false;
      }
    })
    .map(Number);
}

function inodeOf(localPort: number, remotePort: number): number {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const row = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .find((line) => line.includes(`:${hex(localPort)} 0100007F:${hex(remotePort)}`));
  return Number(row?.trim().split(/\s+/)[9]);
}
