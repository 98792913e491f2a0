/** Guards of the C that nothing else shows: each of these fails when its guard is taken out. */
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecRequest, ShellChoice } from '@codex/escalation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Harness, shellOf } from './native-harness.js';
import { pythonIn, wire } from './wire-script.js';

const harness = new Harness();
const folder = mkdtempSync(join(tmpdir(), 'escalation-guards-'));
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

const escalateSleep = ({ argv }: ExecRequest) =>
  argv[0] === 'sleep' ? ({ action: 'escalate', environment: {} } as const) : ({ action: 'run' } as const);

describe.each(['patched', 'preload'] as const)('%s shell', (kind) => {
  let shell: ShellChoice;
  beforeAll(async () => {
    shell = await shellOf(kind);
  });
  const run = (command: string, options: Partial<Parameters<Harness['run']>[0]> = {}) =>
    harness.run({ shell, command, cwd: folder, ...options });

  it('is not told by a script that it is still starting up', async () => {
    const result = await run('CODEX_EXEC_PHASE=startup uname; export CODEX_EXEC_PHASE=startup; uname');
    expect(result.requests.map(({ isStartUp }) => isStartUp)).toEqual([false, false]);
  });

  it('gives what it runs the socket and nothing else of its own', async () => {
    const result = await run('ls /proc/self/fd | tr "\\n" " "');
    // 3 is the listing's own.
    expect(result.output).toBe('0 1 2 200 3 ');
  });

  it('asks about what it cannot know the name of, whichever names are asked about', async () => {
    const asked = { names: new Set(['nothing']) };
    const result = await run('exec 9</usr/bin/true; /dev/fd/9; /usr/bin/true', { asked });
    expect(result.requests.map(({ file }) => file)).toEqual(['/dev/fd/9']);
  });

  it('does not take another folder for the one that was removed', async () => {
    const command = `mkdir d-${kind}; cd d-${kind}; rmdir ../d-${kind}; mkdir "../d-${kind} (deleted)"; sleep 0; echo $?`;
    const result = await run(command, { decide: escalateSleep });
    const sleep = result.requests.find(({ argv }) => argv[0] === 'sleep');
    expect(sleep?.workdir.isOnHost).toBe(false);
    expect(result.output).toContain('the working directory does not exist outside of the sandbox\n1\n');
  });

  it('goes back by its own steps, and never above the root', async () => {
    const result = await run('/usr/../usr/bin/../../../../usr/bin/true');
    const program = result.requests[0]?.program;
    if (program?.state !== 'opened') throw new Error('not opened');
    expect(program.files[0].realPath).toBe('/usr/bin/true');
    expect(program.files[0].steps.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('..'));
  });

  it('ends what a program outside leaves behind with the program', async () => {
    const mark = `2${process.pid}.${kind.length}`;
    const command = `sh -c 'setsid sleep ${mark} & :'; while pgrep -fx 'sleep ${mark}'; do read -t 0.01 < <(:); done; echo gone`;
    const result = await run(command, {
      decide: ({ argv }) =>
        argv[0] === 'sh' ? { action: 'escalate', environment: { PATH: '/usr/bin:/bin' } } : { action: 'run' },
    });
    expect(result.output).toMatch(/gone\n$/);
  });

  it('carries a decision out that was made after the process beside another program was killed', async () => {
    const mark = `3${process.pid}.${kind.length}`;
    let decided: () => void = () => undefined;
    const other = new Promise<void>((resolve) => {
      decided = resolve;
    });
    const running = await harness.start({
      shell,
      cwd: folder,
      command: `sleep ${mark} & touch asked-${kind}; echo $?; wait`,
      decide: async ({ argv }) => {
        if (argv[0] === 'touch') await other;
        return { action: 'escalate', environment: {} };
      },
    });
    const sleeping = () => pidsOf(`sleep ${mark}`).filter((pid) => commandOf(pid).startsWith('sleep'));
    while (running.requests.length < 2 || sleeping().length === 0) await pause();
    const [sleep = 0] = sleeping();
    process.kill(parentOf(sleep), 'SIGKILL');
    while (sleeping().length > 0) await pause();
    decided();
    await running.done;
    expect(running.output()).toMatch(/^0$/m);
  });

  it('leaves a variable out whose value is no text', async () => {
    const result = await run(`LC_A=$'\\xff' LC_B=b /usr/bin/true`);
    const { environment } = result.requests[0] ?? {};
    expect([environment?.has('LC_A'), environment?.get('LC_B')]).toEqual([false, 'b']);
  });

  it('says what is wrong with words that no request can hold', async () => {
    const words =
      "x=$'\\1'; for ((i = 0; i < 16; i++)); do x=$x$x; done; set -- $x $x $x $x $x $x $x $x $x $x $x $x; set -- $@ $@; /usr/bin/true $@; echo $?";
    const result = await run(words);
    expect(result.output).toMatch(
      /cannot run \/usr\/bin\/true: nobody can be asked: Message too long\n126\n$/,
    );
  });

  it('is a plain shell where the wrapper is no absolute path', async () => {
    const env = { ...shell.environment, BASH_EXEC_WRAPPER: 'bin/false', PATH: '/usr/bin:/bin' };
    const { stdout } = await promisify(execFile)(shell.bash, ['--norc', '-c', '/bin/true; echo $?'], { env });
    expect(stdout).toBe('0\n');
  });

  it('executes nothing without the program, or the socket, that it asks through', async () => {
    const environment = { ...shell.environment, BASH_EXEC_WRAPPER: '/nonexistent' };
    const plain = { env: { ...environment, PATH: '/usr/bin:/bin' } };
    const { stdout } = await promisify(execFile)(
      shell.bash,
      ['--norc', '-c', '/usr/bin/uname; echo $?'],
      plain,
    );
    expect(stdout).toMatch(/^12[67]\n$/);
  });
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

function pidsOf(command: string): number[] {
  try {
    return execFileSync('pgrep', ['-fx', command]).toString().trim().split('\n').map(Number);
  } catch {
    return []; // none
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

describe('who asks', () => {
  let shell: ShellChoice;
  beforeAll(async () => {
    shell = await shellOf('preload');
    writeFileSync(join(folder, 'wire.py'), wire);
  });
  const python = pythonIn(folder);

  it.runIf(process.getuid?.() === 0)('is a process of this user', async () => {
    const body = [
      'os.setuid(65534); one = stream()',
      'try: one.sendall(request("/bin/true"))',
      'except BrokenPipeError: pass', // it may be closed by then
      'print(answer(one))',
    ].join('\n');
    const result = await harness.run({ shell, command: python(body), cwd: '/' });
    expect(result.output).toBe('None\n');
    expect(result.events).toContainEqual({ type: 'refused', reason: 'stranger' });
  });

  it('ends what runs for it with itself, although another process holds its stream', async () => {
    const mark = `1000.${process.pid}`;
    const body = [
      'import subprocess',
      'ready, done = os.pipe()',
      'asker = os.fork()',
      'if asker == 0:',
      '  one = stream()',
      '  if os.fork() == 0:',
      '    os.close(done); time.sleep(1000)',
      `  one.sendall(request("/usr/bin/sleep", argv=["sleep", "${mark}"])); assert answer(one) == {"action": "Escalate"}`,
      '  one.sendmsg([frame({"fds": []})]); os.write(done, b"x"); time.sleep(1000)',
      'os.read(ready, 1)',
      `running = lambda: subprocess.run(["pgrep", "-fx", "sleep ${mark}"], capture_output=True).returncode == 0`,
      'while not running(): time.sleep(0.01)',
      'os.kill(asker, 9); os.waitpid(asker, 0)',
      'while running(): time.sleep(0.01)',
      'print("gone", flush=True); os.kill(0, 9)',
    ].join('\n');
    const result = await harness.run({ shell, command: python(body), cwd: folder, decide: escalateSleep });
    expect(result.output).toContain('gone\n');
  });

  const canChoosePids = (() => {
    try {
      accessSync('/proc/sys/kernel/ns_last_pid', constants.W_OK);
      return process.getuid?.() === 0;
    } catch {
      return false;
    }
  })();

  it.runIf(canChoosePids)('is not whoever has its number after it', async () => {
    const body = [
      'import subprocess, tempfile',
      'ours, theirs = socket.socketpair()', // by which a child hands over a stream that it has made
      'child = os.fork()',
      'if child == 0:',
      '  one, other = socket.socketpair()',
      '  ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [one.fileno(), other.fileno()]))])',
      '  os._exit(0)',
      '_, rights, _, _ = theirs.recvmsg(1, 64)',
      'fds = array.array("i"); fds.frombytes(rights[0][2])',
      'os.waitpid(child, 0)',
      'successor = 0',
      'for _ in range(2000):',
      '  open("/proc/sys/kernel/ns_last_pid", "w").write(str(child - 1))',
      '  successor = os.fork()',
      '  if successor == 0: time.sleep(1000)',
      '  if successor == child: break',
      '  os.kill(successor, 9); os.waitpid(successor, 0)',
      'assert successor == child, "the number could not be had again"',
      'announce([fds[1]]); os.close(fds[1])',
      'one = socket.socket(fileno=fds[0]); one.sendall(request("/usr/bin/id")); print(answer(one), flush=True)',
      'os.kill(successor, 9)',
    ].join('\n');
    const result = await harness.run({ shell, command: python(body), cwd: folder });
    expect(result.output).toBe("{'action': 'Run'}\n");
    const [asked] = result.requests.filter(({ file }) => file === '/usr/bin/id');
    expect(asked?.program).toEqual({ state: 'unopened', reason: 'process-gone' });
  });
});
