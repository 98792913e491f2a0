// Sandboxed commands under the launcher: signals, terminals, descriptors, mount points and the end of the tree.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createLauncher, type LaunchedProcess } from '@codex/launcher';
import { type PreparedSandbox, prepareSandbox, type SandboxRequest, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser } from './support/sandbox-user.js';

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
    const { argv: wrapped, cwd, env: wrapperEnv, inheritFds, ownPidNamespace } = prepared;
    const spec = { argv: wrapped, cwd, env: wrapperEnv, inheritFds, ownPidNamespace, io };
    const process = await launcher.launch(spec);
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
    expect(end.commandStarted).toBe(true);
    expect(await end.cleanup).toEqual([]);
    expect(readdirSync(ws)).not.toContain('.git');
  });

  it('shows one device to a command that needs no more, and the usual ones where its policy names others', async () => {
    const devices = async (...named: string[]): Promise<string> => {
      const readable = ['/usr', '/bin', '/lib', '/lib64', ws, ...named].filter((path) => existsSync(path));
      const entries = readable.map((path) => ({ path: { type: 'path', path }, access: 'read' }) as const);
      const policy = { fileSystem: { type: 'restricted', entries }, network: 'restricted' } as const;
      const command = 'ls /dev | xargs; echo lost > /dev/null && echo written; : > /dev/new';
      const { process, output } = await start(['/bin/sh', '-c', command], { policy, nullDeviceOnly: true });
      await process.treeGone;
      return output();
    };
    expect(await devices()).toMatch(/^null\nwritten\n.*\/dev\/new: Read-only file system\n$/);
    expect(await devices('/dev/zero')).toMatch(/\bfull\b.*\bnull\b.*\bzero\b.*\nwritten\n/);
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
    await expect.poll(output).toContain('Stopped');
    await type('kill %1; fg; echo status $?\n');
    // `kill` continues the job, which may be gone before `fg` looks: either way the shell knows its job.
    await expect.poll(output).toMatch(/status 14[37]|job has terminated/);
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
    // The first round leaves as many supervisors waiting as the launcher keeps.
    const many = (): Promise<unknown> => Promise.all(Array.from({ length: 12 }, once));
    await many();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = count();
    await many();
    await expect.poll(count).toBeLessThanOrEqual(before);
    expect(readdirSync(ws)).not.toContain('.git');
  });

  it('no descriptor but the standard streams reaches the command, whatever its wrapper was given', async () => {
    const script =
      'for n in $(ls /proc/$$/fd); do [ $n -gt 2 ] && readlink /proc/$$/fd/$n; done; echo end; read line';
    const { prepared, process, output } = await start(['/bin/sh', '-c', script]);
    await expect.poll(output).toContain('end\n');
    expect(output()).toBe('end\n');
    // Nor process 1, which the command does not see: the reaper.
    const stat = readFileSync(`/proc/${prepared.commandPid()}/stat`, 'latin1');
    const reaper = `/proc/${stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]}/fd`;
    const open = readdirSync(reaper).filter((fd) => Number(fd) > 2);
    // The counter through which it tells its parent of the exit.
    expect(open.map((fd) => readlinkSync(`${reaper}/${fd}`))).toEqual(['anon_inode:[eventfd]']);
    process.input?.end();
    prepared.finish(await process.exited);
  });

  it('one supervisor serves many commands, none of which can see it', async () => {
    const supervisors = new Set<number>();
    for (let round = 0; round < 6; round += 1) {
      const { prepared, process, output } = await start(['/bin/sh', '-c', 'echo $PPID; read line']);
      await expect.poll(output).toBe('1\n');
      const stat = readFileSync(`/proc/${process.pid}/stat`, 'latin1');
      supervisors.add(Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]));
      process.input?.end();
      await process.treeGone;
      await prepared.finish(await process.exited).cleanup;
    }
    // The supervisor of the first and the spare that was started beside it, or what earlier tests have left waiting.
    expect(supervisors.size).toBeLessThanOrEqual(4);
    expect(supervisors.size).toBeGreaterThan(0);
  });

  it('a name for the command itself is passed through', async () => {
    const { process, output, prepared } = await start(['/bin/sh', '-c', 'echo $0'], { arg0: 'renamed' });
    await process.exited;
    await expect.poll(output).toBe('renamed\n');
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
