// Whatever is killed, nothing is left: no process, no descriptor, no open question.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecRequest, ShellChoice } from '@codex/escalation';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Harness, type RunningShell, shellOf } from './native-harness.js';

const harness = new Harness();
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'escalation-deaths-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => harness.close());

/** Escalated: a program with a child and a daemon in a session of its own, each of which can be found by its argument. */
const program = (mark: string) =>
  `sh -c 'sleep ${mark} & setsid sh -c "sleep ${mark} & exec sleep ${mark}" & touch started; wait'`;
const mark = () => `${1000 + Math.floor(Math.random() * 1_000_000)}.${Math.floor(Math.random() * 1_000_000)}`;
const outside = ({ argv }: ExecRequest) =>
  argv[0] === 'sh'
    ? ({ action: 'escalate', environment: { PATH: '/usr/bin:/bin' } } as const)
    : ({ action: 'run' } as const);

function processes(): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          { pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') },
        ];
      } catch {
        return [];
      }
    });
}
/** One may take the next with it. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
const withText = (text: string) => processes().filter(({ command }) => command.includes(text));
/** What is outside, without the shell, whose command line has the same words. */
const escalated = (text: string) => withText(text).filter(({ command }) => /^(sleep|sh) /.test(command));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(['patched', 'preload'] as const)('%s shell', (kind) => {
  let shell: ShellChoice;
  beforeAll(async () => {
    shell = await shellOf(kind);
  });

  const started = async (text: string, rest = ''): Promise<RunningShell> => {
    const running = await harness.start({
      shell,
      command: `${program(text)}; ${rest}`,
      cwd: folder,
      policy: workspaceWrite({ roots: [folder] }),
      decide: outside,
    });
    await until(() => existsSync(join(folder, 'started')));
    await until(() => withText(text).filter(({ command }) => command.startsWith('sleep ')).length === 3);
    return running;
  };

  it('ends the escalated tree with the wrapper that waits for it, and the shell goes on', async () => {
    const text = mark();
    const running = await started(text, `echo code $?; sleep 1${text}`);
    const asker = running.requests.find(({ argv }) => argv[0] === 'sh')?.process.pid ?? 0;
    process.kill(asker, 'SIGKILL');
    await until(() => withText(text).every(({ command }) => !command.startsWith(`sleep ${text}`)));
    await until(() => running.output().includes('code 137'));
    await until(() => running.events.some(({ type }) => type === 'abandoned'));
    running.process.killTree();
    await running.done;
  });

  it('ends everything with the shell', async () => {
    const text = mark();
    const running = await started(text);
    const shells = withText(text).filter(({ command }) => /^(\S*bwrap|\S*bash) /.test(command));
    for (const { pid } of shells) kill(pid);
    await running.done;
    await until(() => withText(text).length === 0);
    expect(await running.closed).toBe('ended');
  });

  it('ends what was escalated with the broker, says so, and every further exec fails', async () => {
    const text = mark();
    const running = await started(text, 'echo code $?; /bin/true; echo then $?');
    process.kill(brokerOf(running), 'SIGKILL');
    expect(await running.closed).toBe('lost');
    await running.process.exited;
    running.process.killTree();
    await running.done;
    expect(running.output()).toMatch(/code 126\n[^\n]*cannot run \/bin\/true[^\n]*\nthen 126/);
    expect(withText(text)).toEqual([]);
  });

  it('ends what was escalated when nobody is left who could', async () => {
    const text = mark();
    const running = await started(text, 'while :; do :; done');
    const [program] = escalated(text);
    const minder = parentOf(program?.pid ?? 0);
    // It cannot see that the broker has gone.
    process.kill(minder, 'SIGSTOP');
    process.kill(brokerOf(running), 'SIGKILL');
    process.kill(minder, 'SIGKILL');
    await until(() => !processes().some(({ pid }) => pid === program?.pid));
    running.process.killTree();
    await running.done;
  });

  it('keeps no process for what did not leave, while something else runs outside', async () => {
    const text = mark();
    let decide: () => void = () => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const running = await harness.start({
      shell,
      command: `touch asked & until [[ -e go ]]; do read -t 0.01 < <(:); done; sleep ${text}`,
      cwd: folder,
      decide: async ({ argv }) => {
        if (argv[0] !== 'touch') return { action: 'escalate', environment: {} };
        await decided;
        return { action: 'run' };
      },
    });
    await until(() => running.requests.length === 1);
    writeFileSync(join(folder, 'go'), '');
    await until(() => escalated(text).length === 1);
    const broker = brokerOf(running);
    expect(childrenOf(broker)).toHaveLength(2);
    decide();
    await until(() => childrenOf(broker).length === 1);
    running.process.killTree();
    await running.done;
  });

  it('ends what a killed minder leaves, and the shell goes on', async () => {
    const text = mark();
    const running = await started(text, `echo code $?; touch after; sleep 1${text}`);
    const [first] = withText(text).filter(({ command }) => command.startsWith('sh -c sleep'));
    process.kill(parentOf(first?.pid ?? 0), 'SIGKILL');
    await until(() => existsSync(join(folder, 'after')));
    await until(() => withText(`sleep ${text}`).every(({ command }) => !command.startsWith('sleep')));
    running.process.killTree();
    await running.done;
    expect(running.output()).toContain('code 126');
  });

  it('ends everything with the call', async () => {
    const text = mark();
    // The shell's own words name the program, too, and it ends when it is told to: here it goes on.
    const running = await started(text, 'while :; do :; done');
    running.end();
    expect(await running.closed).toBe('ended');
    expect(escalated(text)).toEqual([]);
    running.process.killTree();
    await running.done;
    expect(withText(text)).toEqual([]);
  });

  it('withdraws an open question when who asked is gone, and runs nothing on a late answer', async () => {
    const text = mark();
    let answer: () => void = () => {};
    let signal: AbortSignal | undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const running = await harness.start({
      shell,
      command: `touch late; echo code $?; sleep 1${text}`,
      cwd: folder,
      decide: async ({ argv }, given) => {
        if (argv[0] !== 'touch') return { action: 'run' };
        signal = given;
        await asked;
        return { action: 'escalate', environment: {} };
      },
    });
    await until(() => running.requests.length === 1);
    process.kill(running.requests[0]?.process.pid ?? 0, 'SIGKILL');
    await until(() => signal?.aborted === true);
    answer();
    await until(() => withText(`sleep 1${text}`).some(({ command }) => command.startsWith('sleep')));
    running.process.killTree();
    await running.done;
    expect(running.output()).toContain('code 137');
    expect(existsSync(join(folder, 'late'))).toBe(false);
  });
});

it.each(['patched', 'preload'])('ends everything with the server (%s)', async (kind) => {
  const text = mark();
  const server = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--conditions=@codex/source',
      fileURLToPath(new URL('native-server.ts', import.meta.url)),
      folder,
      program(text),
      kind,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  await until(() => existsSync(join(folder, 'started')) || server.exitCode !== null);
  await until(() => withText(text).filter(({ command }) => command.startsWith('sleep ')).length === 3);
  server.kill('SIGKILL');
  await until(() => withText(text).length === 0);
  expect(withText(text)).toEqual([]);
});

it('leaves no descriptor in this process, after calls of every kind of end', async () => {
  const shell = await shellOf('preload');
  const count = () => readdirSync('/proc/self/fd').length;
  const once = () => harness.run({ shell, command: '/bin/true; sh -c :', cwd: folder, decide: outside });
  await once();
  const before = count();
  for (let i = 0; i < 10; i++) await once();
  await until(() => count() <= before);
});

/** The broker is the process of the launched tree that holds the name of one. */
function brokerOf(running: RunningShell): number {
  const supervisor = parentOf(running.process.pid);
  const children = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(supervisor)]).toString();
  return Number(/(\d+) codex-broker/.exec(children)?.[1]);
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
