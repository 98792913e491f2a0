// What a script may try in order not to be asked, or to have something else run than was judged.
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { ExecDecision, ExecRequest, ShellChoice } from '@codex/escalation';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Harness, shellOf } from './native-harness.js';

const harness = new Harness();
const folder = mkdtempSync(join(tmpdir(), 'escalation-evasions-'));
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

const outside = { action: 'escalate', environment: { PATH: '/usr/bin:/bin' } } as const;
const denyWhoami = ({ file }: ExecRequest): ExecDecision =>
  file.endsWith('whoami') ? { action: 'deny', reason: 'forbidden' } : { action: 'run' };
const script = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};

describe.each(['patched', 'preload'] as const)('%s shell', (kind) => {
  let shell: ShellChoice;
  beforeAll(async () => {
    shell = await shellOf(kind);
  });
  const run = (command: string, options: Partial<Parameters<Harness['run']>[0]> = {}) =>
    harness.run({ shell, command, cwd: folder, decide: denyWhoami, ...options });

  it.each([
    'whoami',
    'BASH_EXEC_WRAPPER= whoami',
    '(unset BASH_EXEC_WRAPPER; whoami)',
    'BASH_EXEC_WRAPPER=/bin/echo whoami',
    'export BASH_EXEC_WRAPPER=/usr/bin/env; whoami',
    'CODEX_ESCALATE_SOCKET= whoami',
    'unset CODEX_ESCALATE_SOCKET LD_PRELOAD CODEX_INTERCEPTED_SHELL; whoami',
    'LD_PRELOAD= whoami',
    'CODEX_EXEC_PHASE=startup whoami',
    'exec -c whoami',
    'exec -a true whoami',
    'command whoami',
    '/usr/bin/whoami',
    'cd /usr/bin; ./whoami',
    'hash -p /usr/bin/whoami true; true() { builtin :; }; unset -f true; enable -n true; true',
    'echo $(whoami) | cat',
    'cat <(whoami)',
    'coproc whoami; cat <&$COPROC; wait',
    'trap whoami EXIT',
    'eval "who""ami"',
    'f() { whoami; }; f & wait',
  ])('is asked about: %s', async (command) => {
    const result = await run(command);
    expect(result.output).not.toContain('root\n');
    expect(result.requests.some(({ file }) => file.endsWith('whoami'))).toBe(true);
  });

  it('fails when a script closes the socket, or puts another in its place', async () => {
    const closed = await run('exec 200>&-; whoami; echo $?');
    expect(closed.output).toMatch(/cannot run[^\n]*\n126\n$/);
    const replaced = await run('exec 200>/dev/null; whoami; echo $?');
    expect(replaced.output).toMatch(/cannot run[^\n]*\n126\n$/);
  });

  it('does not give the library to children', async () => {
    const result = await run('/usr/bin/env');
    expect(result.output).not.toMatch(/LD_PRELOAD|CODEX_INTERCEPTED_SHELL|CODEX_EXEC_PHASE/);
  });

  it('keeps what the caller had for the loader itself', async () => {
    const environment = { LD_PRELOAD: '/usr/lib/own.so' };
    const own = {
      ...shell,
      environment: {
        ...shell.environment,
        LD_PRELOAD: `${shell.environment['LD_PRELOAD'] ?? ''}:/usr/lib/own.so`,
      },
    };
    const result = await harness.run({
      shell: kind === 'preload' ? own : shell,
      environment,
      command: 'echo "$LD_PRELOAD"',
    });
    expect(result.output).toMatch(/^\/usr\/lib\/own\.so$/m);
  });

  it('executes what was opened, whatever its name leads to by then', async () => {
    symlinkSync('/usr/bin/uname', join(folder, `swapped-${kind}`));
    const result = await run(`./swapped-${kind}`, {
      policy: workspaceWrite({ roots: [folder] }),
      decide: () => {
        symlinkSync('/usr/bin/whoami', join(folder, 'next'));
        renameSync(join(folder, 'next'), join(folder, `swapped-${kind}`));
        return outside;
      },
    });
    expect(result.output).toBe('Linux\n');
  });

  it('executes what was opened, whatever stands at its place by then', async () => {
    const program = join(folder, `replaced-${kind}`);
    copyFileSync('/usr/bin/uname', program);
    copyFileSync('/usr/bin/whoami', `${program}.next`);
    const result = await run(program, {
      decide: () => {
        renameSync(`${program}.next`, program);
        return outside;
      },
    });
    expect(result.output).toBe('Linux\n');
  });

  it('names every link and folder on the way, and every interpreter', async () => {
    const inner = script('inner', '#! /bin/sh -e\necho inner\n');
    script('outer', `#!${inner}\n`);
    symlinkSync('outer', join(folder, `link-${kind}`));
    const result = await run(`./link-${kind}`);
    const program = result.requests[0]?.program;
    if (program?.state !== 'opened') throw new Error('not opened');
    expect(program.files.map(({ givenPath, realPath }) => [givenPath, realPath])).toEqual([
      [`./link-${kind}`, join(folder, 'outer')],
      [inner, inner],
      ['/bin/sh', expect.stringMatching(/^\/usr\/bin\/(da)?sh$/)],
    ]);
    expect(program.files[0].steps.map(({ kind: step, path }) => `${step} ${path}`)).toEqual([
      'folder /',
      'folder /tmp',
      `folder ${folder}`,
      `link ${join(folder, `link-${kind}`)}`,
      `file ${join(folder, 'outer')}`,
    ]);
    expect(program.files.every(({ steps }) => steps.every(({ isOnHost }) => isOnHost))).toBe(true);
  });

  it('tells a script where it lies, or the name that it was called by', async () => {
    const named = script('named', '#!/bin/sh\necho "$0"\n');
    symlinkSync('named', join(folder, `called-${kind}`));
    const told = async (isAsCalled: boolean) =>
      (await run(`./called-${kind}`, { decide: () => ({ ...outside, isAsCalled }) })).output;
    expect(await told(false)).toBe(`${named}\n`);
    expect(await told(true)).toBe(`./called-${kind}\n`);
  });

  it('reads the interpreter as the kernel does: a NUL ends it, the end of what is read does not', async () => {
    const inner = script('inner', '#! /bin/sh -e\necho inner\n');
    script('before-nul', `#!${inner}\0${'x'.repeat(300)}\n`);
    script('cut-off', `#!/${'x'.repeat(300)}\n`);
    const result = await run('./before-nul; ./cut-off');
    const files = result.requests.map(({ program }) => program.state === 'opened' && program.files.length);
    // What is cut off is no interpreter for the kernel, and a text for Bash.
    expect(files).toEqual([3, 2]);
    expect(result.output).toMatch(/^inner\n/);
  });

  it('opens nothing through /proc, where a path means something else to everybody', async () => {
    const paths = [
      '/proc/self/exe',
      '/proc/self/root/usr/bin/id',
      '/dev/fd/9',
      '/dev/../proc/thread-self/exe',
    ];
    const result = await run(`exec 9</usr/bin/id; ${paths.map((path) => `${path} -c :`).join('; ')}; :`, {
      decide: () => outside,
    });
    expect(result.requests.map(({ program }) => program)).toEqual(
      paths.map(() => ({ state: 'unopened', reason: 'proc' })),
    );
    expect(result.events.filter(({ type }) => type === 'exited')).toMatchObject(
      paths.map(() => ({ exitCode: 1, error: expect.stringContaining('outside of the sandbox') })),
    );
  });

  it('follows links no further than the kernel does', async () => {
    symlinkSync(`loop-${kind}`, join(folder, `loop-${kind}`));
    const result = await run(`./loop-${kind}; echo $?`);
    expect(result.output).toMatch(/Too many levels of symbolic links\n126\n$/);
    expect(result.requests).toEqual([]);
  });
});

it('is a plain shell where the socket was closed before it started, and asks where it was not', async () => {
  const shell = await shellOf('patched');
  const python = (close: string) =>
    `python3 -c "import subprocess; subprocess.run(['${shell.bash}', '-c', '/usr/bin/whoami'], close_fds=${close})"`;
  const run = (command: string) => harness.run({ shell, command, cwd: folder, decide: denyWhoami });
  expect((await run(python('True'))).output).toBe(`${userInfo().username}\n`);
  expect((await run(python('False'))).output).toContain('Execution denied');
});

it('asks in child shells and scripts of Bash inside of a sandbox, where ours stands in place of the system shell', async () => {
  const shell = await shellOf('patched');
  const asks = script('asks', '#!/bin/bash\nwhoami\n');
  const commands = [
    'bash -c whoami',
    '/bin/bash -lc whoami',
    'env bash -c whoami',
    asks,
    'echo whoami | bash',
    'sh -c "bash -c whoami"',
  ];
  for (const command of commands) {
    const result = await harness.run({
      shell,
      command,
      cwd: folder,
      environment: { HOME: folder },
      decide: denyWhoami,
      policy: workspaceWrite({ roots: [folder] }),
    });
    expect(result.output, command).toBe('Execution denied: forbidden\n');
  }
});

it('does not let a sandboxed command change what runs outside', async () => {
  // Copies: should it fail, it has changed them.
  const programs = mkdtempSync(join(folder, 'programs-'));
  const real = await shellOf('patched');
  const files = real.files.map((file) => join(programs, basename(file)));
  for (const file of real.files) copyFileSync(file, join(programs, basename(file)));
  const [bash = '', wrapper = ''] = files;
  const shell = { ...real, bash, files, environment: { BASH_EXEC_WRAPPER: wrapper } };
  const attempts = files.map(
    (file) => `[ -w ${file} ] && echo ${file}; mv ${file} ${file}.moved; echo x >> ${file}`,
  );
  const result = await harness.run({
    shell,
    command: `${attempts.join('; ')}; mv ${programs} ${programs}.moved`,
    cwd: folder,
    policy: workspaceWrite({ roots: [folder] }),
  });
  expect(result.output.match(/busy|Read-only/g)).toHaveLength(2 * files.length + 1);
  expect(result.output).not.toMatch(/^\//m);
});

it('does not execute outside what only exists inside', async () => {
  const shell = await shellOf('patched');
  const result = await harness.run({
    shell,
    command: 'bash -c id; echo $?',
    cwd: folder,
    policy: workspaceWrite({ roots: [folder] }),
    decide: () => outside,
  });
  expect(result.output).toBe(
    'Execution denied: the program does not exist outside of the sandbox as it does inside\n1\n',
  );
});
