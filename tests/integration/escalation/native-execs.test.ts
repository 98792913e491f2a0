// What an intercepted shell does with run, deny and escalate, through the patched Bash and through the preload.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecDecision, ExecRequest, ShellChoice } from '@codex/escalation';
import { readOnly, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Harness, PROGRAMS, shellOf } from './native-harness.js';

const outside = { action: 'escalate', environment: { PATH: '/usr/bin:/bin', MARK: 'outside' } } as const;
/** Escalates these programs, denies those; runs the others. */
const rules =
  (escalated: readonly string[], denied: readonly string[] = []) =>
  ({ argv }: ExecRequest): ExecDecision => {
    const name = argv[0] ?? '';
    if (denied.includes(name)) return { action: 'deny', reason: `forbidden by policy: ${name}` };
    return escalated.includes(name) ? outside : { action: 'run' };
  };

const harness = new Harness();
const folder = mkdtempSync(join(tmpdir(), 'escalation-'));
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['patched', 'preload'] as const)('%s shell', (kind) => {
  let shell: ShellChoice;
  beforeAll(async () => {
    shell = await shellOf(kind);
  });
  const run = (command: string, options: Partial<Parameters<Harness['run']>[0]> = {}) =>
    harness.run({ shell, command, cwd: folder, ...options });

  it('runs inside, denies with the reason and code 1, escalates past the sandbox', async () => {
    const command =
      'id -u; whoami; echo $?; touch /var/tmp/escalated-$$ && rm /var/tmp/escalated-$$; echo $?; uname';
    const result = await run(command, { policy: readOnly(), decide: rules(['touch', 'rm'], ['whoami']) });
    const uid = String(process.getuid?.());
    expect(result.output).toBe(`${uid}\nExecution denied: forbidden by policy: whoami\n1\n0\nLinux\n`);
    expect(result.requests.map(({ argv }) => argv[0])).toEqual(['id', 'whoami', 'touch', 'rm', 'uname']);
  });

  it('gives the escalated program its environment and nothing of the script', async () => {
    const command = 'export LD_PRELOAD=/x.so GIT_DIR=/x MARK=inside; env; echo --; env -i env';
    const decide = ({ requestId }: ExecRequest): ExecDecision =>
      requestId === 1 ? outside : { action: 'run' };
    const result = await run(command, { decide });
    const [first = ''] = result.output.split('--');
    // A wrapper that is not static (built with sanitizers) is told off by the loader.
    const variables = first
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('ERROR: ld.so'));
    expect(variables.sort()).toEqual(['MARK=outside', 'PATH=/usr/bin:/bin']);
    expect(result.requests[0]?.environment.get('MARK')).toBe('inside');
    expect([...(result.requests[0]?.environment.keys() ?? [])]).not.toContain('CODEX_ESCALATE_SOCKET');
  });

  it('keeps folder, arguments, argv[0], umask, limits and ignored signals', async () => {
    const command =
      'umask 027; ulimit -n 77; trap "" INT PIPE; cd /usr; exec -a other sh -c \'pwd; umask; ulimit -n; echo "$0" "$@"; ' +
      "grep SigIgn /proc/self/status; readlink /proc/$$/exe' name 'a b' ''";
    const result = await run(command, { decide: rules(['other']) });
    const lines = result.output.split('\n');
    expect(lines.slice(0, 4)).toEqual(['/usr', '0027', '77', 'name a b ']);
    const ignored = Number.parseInt(lines[4]?.split('\t')[1] ?? '', 16);
    // SIGINT is; of SIGPIPE it proves nothing that the asking process ignores it.
    expect([ignored & (1 << 1), ignored & (1 << 12)]).toEqual([1 << 1, 0]);
    expect(lines[5]).toMatch(/dash|sh/);
  });

  it('passes all open descriptors on and no other', async () => {
    const command =
      'exec 5>five; sh -c \'echo to five >&5; ls /proc/self/fd | tr "\\n" " "\' 7</dev/null; sh -c \'cat\' < <(echo substituted)';
    const result = await run(command, { decide: rules(['sh']) });
    expect(readFileSync(join(folder, 'five'), 'utf8')).toBe('to five\n');
    // 3 is the listing's own.
    expect(result.output).toMatch(/^0 1 2 3 5 7 (\d\d )?substituted\n$/);
  });

  it('denies where the decision fails, or cannot be carried out as it was made', async () => {
    const failing = await run('uname; echo $?', { decide: () => Promise.reject(new Error('broken')) });
    const unwritable = await run('uname; echo $?', {
      decide: () => ({ action: 'escalate', environment: { A: '\0' } }),
    });
    for (const { output } of [failing, unwritable]) {
      expect(output).toBe('Execution denied: the decision failed\n1\n');
    }
  });

  it('works with closed descriptors, which are not free for the next file', async () => {
    const command =
      'sh -c \'echo out; echo err >&2; echo $?; ls /proc/self/fd -v | head -3 | tr "\\n" " "\' <&- 2>&-; echo $?';
    const result = await run(command, { decide: rules(['sh']) });
    expect(result.output).toBe('out\n1\n0 1 2 0\n');
  });

  it('gives the escalated program a session of its own, without a terminal', async () => {
    const command =
      "sh -c 'read pid _ _ _ _ session terminal _ < /proc/$$/stat; echo $((pid == session)) $terminal'";
    const result = await run(command, { decide: rules(['sh']) });
    expect(result.output).toBe('1 0\n');
  });

  it('refuses to escalate more than sixteen descriptors, with a sentence', async () => {
    const opened = Array.from({ length: 15 }, (_, index) => `exec ${20 + index}</dev/null;`).join(' ');
    const result = await run(`${opened} sh -c 'echo ran'; echo $?`, { decide: rules(['sh']) });
    expect(result.output).toMatch(/more than 16 open descriptors\n126\n$/);
  });

  it('reports exit codes and 128+n', async () => {
    const command = "sh -c 'exit 42'; echo $?; sh -c 'kill -9 $$'; echo $?; sh -c 'kill $$'; echo $?";
    const result = await run(command, { decide: rules(['sh']) });
    expect(result.output.match(/^\d+$/gm)).toEqual(['42', '137', '143']);
    // Each is told when its tree is gone, which can take one longer than the next.
    const exits = result.events.filter((event) => event.type === 'exited');
    exits.sort((left, right) => left.requestId - right.requestId);
    expect(exits).toMatchObject([{ exitCode: 42 }, { exitCode: 137 }, { exitCode: 143 }]);
  });

  it('passes signals on', async () => {
    const command =
      'sh -c \'trap "echo got; exit 7" TERM; echo ready > ready; while :; do sleep 0.01; done\' & p=$!; ' +
      'until [ -e ready ]; do read -t 0.01 < <(:); done; kill $p; wait $p; echo $?; rm ready';
    const result = await run(command, { decide: rules(['sh']) });
    expect(result.output).toBe('got\n7\n');
  });

  it('passes no signal on that the shell ignores', async () => {
    const program =
      'import signal, sys; [signal.signal(number, lambda number, _: sys.exit(number)) for number in [10, 15]]; open("ready", "w"); signal.pause()';
    const command =
      `trap "" USR1; python3 -c '${program}' & p=$!; ` +
      'until [ -e ready ]; do read -t 0.01 < <(:); done; kill -USR1 $p; kill $p; wait $p; echo $?; rm ready';
    const result = await run(command, { decide: rules(['python3']) });
    expect(result.output).toBe('15\n');
  });

  it('lets a program outside see how its children end, whatever the asking process ignores', async () => {
    const child = 'import subprocess; print(subprocess.call(["/bin/false"]))';
    const asker = [
      'import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)',
      `os.execv("${PROGRAMS.wrapper}", ["wrapper", "/usr/bin/python3", "seen", "-c", '''${child}'''])`,
    ].join('\n');
    const result = await run(`python3 - <<'EOF'\n${asker}\nEOF\n`, { decide: rules(['seen']) });
    expect(result.output).toBe('1\n');
  });

  it('leaves the words of Bash for what cannot be executed, and asks nothing for it', async () => {
    const command = './missing; echo $?; /etc/passwd; echo $?; /etc; echo $?; no-such-program; echo $?';
    const result = await run(command);
    expect(result.output).toBe(
      'bash: line 1: ./missing: No such file or directory\n127\nbash: line 1: /etc/passwd: Permission denied\n126\n' +
        'bash: line 1: /etc: Is a directory\n126\nbash: line 1: no-such-program: command not found\n127\n',
    );
  });

  it('runs texts without a #! line, and says what a script lacks', async () => {
    writeFileSync(join(folder, 'plain'), 'echo plain "$@"\n');
    writeFileSync(join(folder, 'lost'), '#!/no/such/interpreter\n');
    for (const name of ['plain', 'lost']) chmodSync(join(folder, name), 0o755);
    const result = await run('./plain a b; ./lost; echo $?');
    expect(result.output).toMatch(
      /^plain a b\nbash: (line 1: )?\.\/lost: cannot execute: required file not found\n127\n$/,
    );
    expect(result.requests[0]).toMatchObject({ file: './plain', argv: ['./plain', 'a', 'b'] });
  });

  it('judges arguments that are no UTF-8 as text and never escalates them', async () => {
    const command = "printf '%s' $'\\xff' | od -An -tx1; /usr/bin/printf $'a\\xffb' | od -An -tx1";
    const result = await run(command, { policy: readOnly(), decide: () => outside });
    const lossy = result.requests.find(({ file }) => file.endsWith('/printf'));
    expect(lossy).toMatchObject({ isLossy: true, argv: ['/usr/bin/printf', 'a\ufffdb'] });
    expect(result.output).toBe(' ff\n 61 ff 62\n');
    expect(
      result.events.some((event) => event.type === 'exited' && event.requestId === lossy?.requestId),
    ).toBe(false);
  });

  it('marks what start-up files execute', async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    writeFileSync(
      join(home, '.profile'),
      'x=$(hostname); true | tail -1; env | grep CODEX_EXEC_PHASE; export FROM_PROFILE=1\n',
    );
    const result = await run('uname >/dev/null; $(true); echo $FROM_PROFILE', {
      login: true,
      environment: { HOME: home },
    });
    const phases = new Map(result.requests.map(({ argv, isStartUp }) => [argv[0], isStartUp]));
    expect(phases.get('hostname')).toBe(true);
    expect(phases.get('tail')).toBe(true);
    expect(phases.get('uname')).toBe(false);
    expect(result.output).toBe('1\n');
  });

  it('answers for programs that no rule names by itself, under all of their names', async () => {
    execFileSync('ln', ['-sf', '/usr/bin/id', join(folder, 'alias')]);
    const command = 'uname >/dev/null; ./alias >/dev/null; id >/dev/null; /usr/bin/env true';
    const result = await run(command, { asked: { names: new Set(['id', '/usr/bin/env']) } });
    expect(result.requests.map(({ file }) => file)).toEqual(['./alias', '/usr/bin/id', '/usr/bin/env']);
    expect(result.events).toMatchObject([
      { type: 'ran-unasked', file: '/usr/bin/uname', argv: ['uname'], workdir: folder },
    ]);
  });

  it('compares folded names without regard to case', async () => {
    execFileSync('ln', ['-sf', '/usr/bin/true', join(folder, 'TOOL')]);
    execFileSync('ln', ['-sf', '/usr/bin/true', join(folder, '\u212aelvin')]);
    const asked = { names: new Set<string>(), foldedNames: new Set(['tool']) };
    const result = await run('./TOOL; ./\u212aelvin; uname > /dev/null', { asked });
    expect(result.requests.map(({ file }) => file)).toEqual(['./TOOL', './\u212aelvin']);
  });

  it('works in a workspace sandbox with a private folder that does not exist outside', async () => {
    const result = await run('cd /proc/self && touch x; echo $?; cd /dev/shm && id >/dev/null; echo $?', {
      policy: workspaceWrite(),
      decide: rules(['touch', 'id']),
    });
    expect(result.output).toContain('does not exist outside of the sandbox');
  });
});
