// `mcp-server` of the built program, driven by the official SDK client.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';
import { ERAS, McpProgram, running } from './support/mcp-client.js';

const accept = () => ({ action: 'accept', content: {} }) as const;
const decline = () => ({ action: 'decline' }) as const;
const outside = (name: string): string =>
  `/var/tmp/${name}-${process.pid}-${Math.random().toString(36).slice(2)}`;

describe.each(ERAS)('mcp-server in the era %s', (era) => {
  it('runs commands, keeps sessions, reads and writes files', async () => {
    await using program = await McpProgram.start([], { era });
    const { tools } = await program.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'exec_command',
      'write_stdin',
      'apply_patch',
      'list_sessions',
      'read_file',
      'write_file',
      'list_directory',
    ]);
    expect(await program.exec('echo out; echo err >&2; pwd; exit 3')).toMatchObject({
      isError: false,
      data: { exit_code: 3, output: expect.stringContaining(program.folder) },
    });

    const { data } = await program.exec('read line; echo got $line', { tty: true, yield_time_ms: 250 });
    const { session_id } = data;
    expect((await program.call('list_sessions', {})).data).toMatchObject({
      sessions: [{ session_id, tty: true }],
    });
    const typed = await program.call('write_stdin', { session_id, chars: 'ping\n', yield_time_ms: 5000 });
    expect(typed.data).toMatchObject({ exit_code: 0, output: expect.stringContaining('got ping') });
    expect((await program.call('list_sessions', {})).data).toEqual({ sessions: [] });

    const content = 'one\ntwo\nthree\n';
    expect((await program.call('write_file', { path: 'deep/a.txt', content })).data).toMatchObject({
      bytes_written: 14,
    });
    expect((await program.call('read_file', { path: 'deep/a.txt', offset: 2, limit: 1 })).data).toMatchObject(
      {
        content: 'two\n',
        first_line: 2,
        lines: 1,
        truncated: true,
      },
    );
    expect((await program.call('list_directory', { path: 'deep' })).data).toMatchObject({
      entries: [{ name: 'a.txt', kind: 'file' }],
    });
  });

  it('applies patches, and asks before one leaves the sandbox', async () => {
    const path = outside('patched');
    onTestFinished(() => rmSync(path, { force: true }));
    const answers = ['decline', 'accept'] as const;
    await using program = await McpProgram.start([], {
      era,
      answer: () => ({ action: answers[program.questions.length - 1] ?? 'cancel', content: {} }),
    });
    const patch = (body: string) =>
      program.call('apply_patch', { patch: `*** Begin Patch\n${body}\n*** End Patch` });
    expect((await patch('*** Add File: a.txt\n+one\n+two')).data).toMatchObject({
      changes: [{ kind: 'added', path: 'a.txt' }],
    });
    await patch('*** Update File: a.txt\n*** Move to: sub/b.txt\n@@\n one\n-two\n+TWO');
    expect(readFileSync(join(program.folder, 'sub/b.txt'), 'utf8')).toBe('one\nTWO\n');
    expect(existsSync(join(program.folder, 'a.txt'))).toBe(false);
    expect(await patch('*** Update File: sub/b.txt\n@@\n-three\n+3')).toMatchObject({
      isError: true,
      data: { error: { code: 'tool.patch', message: expect.stringContaining('Failed to find') } },
    });
    const away = `*** Delete File: sub/b.txt\n*** Add File: ${path}\n+out`;
    expect(await patch(away)).toMatchObject({ isError: true, data: { error: { code: 'tool.rejected' } } });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(join(program.folder, 'sub/b.txt'))).toBe(true);
    expect(program.questions[0]).toContain('The sandbox denied this patch. Apply it outside the sandbox?');
    expect(program.questions[0]).toContain(`    | *** Add File: ${path}`);
    const added = await patch(`*** Add File: ${path}\n+out`);
    expect(added.isError).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('out\n');
  });

  it('asks before a command leaves the sandbox', async () => {
    const path = outside('asked');
    await using program = await McpProgram.start([], { era, answer: accept });
    const wish = { sandbox_permissions: 'require_escalated', justification: 'May I\u202e touch it?' };
    expect((await program.exec(`touch ${path} && rm ${path} && echo done`, wish)).data).toMatchObject({
      exit_code: 0,
      output: 'done\n',
    });
    expect(program.questions).toEqual([expect.stringContaining('outside the sandbox')]);
    expect(program.questions[0]).toContain('May I⟨U+202E⟩ touch it?');
  });

  it('asks when the sandbox denied a command, early or late, and runs it again', async () => {
    const path = outside('denied');
    await using program = await McpProgram.start(['--approvals', 'on-failure'], { era, answer: accept });
    const early = await program.exec(`echo 1 > ${path} && rm ${path} && echo done`);
    expect(early.data).toMatchObject({ exit_code: 0, output: 'done\n' });
    const late = await program.exec(`sleep 0.4; echo 1 > ${path} && rm ${path} && echo done`);
    expect(late.data).toMatchObject({ exit_code: 0, output: 'done\n' });
    expect(program.questions).toEqual([expect.stringContaining(path), expect.stringContaining(path)]);
    expect(program.questions[0]).toContain('Read-only file system');
  });

  it('runs nothing that was declined, and keeps what the denied command printed', async () => {
    const path = outside('declined');
    await using program = await McpProgram.start(['--approvals', 'on-failure'], { era, answer: decline });
    for (const pause of ['', 'sleep 0.4; ']) {
      const { data } = await program.exec(`${pause}echo before; touch ${path}`);
      expect(data).toMatchObject({
        sandbox_denied: true,
        output: expect.stringContaining('before'),
        notes: [expect.stringContaining('it was not run again: the user declined it. ')],
      });
    }
    const wish = { sandbox_permissions: 'require_escalated', justification: 'please' };
    expect(await program.exec(`touch ${path}`, wish)).toMatchObject({
      isError: true,
      data: { error: { code: 'tool.rejected', message: expect.stringContaining('the user declined it') } },
    });
    expect(existsSync(path)).toBe(false);
  });

  it('refuses what needs an approval where the client cannot ask', async () => {
    const path = outside('unasked');
    await using program = await McpProgram.start([], { era });
    const wish = { sandbox_permissions: 'require_escalated', justification: 'please' };
    expect(await program.exec(`touch ${path}`, wish)).toMatchObject({
      isError: true,
      data: { error: { message: expect.stringContaining('this client cannot ask its user') } },
    });
    expect(existsSync(path)).toBe(false);
  });

  it('tells progress while a command runs; a cancelled call leaves its session', async () => {
    await using program = await McpProgram.start([], { era });
    const abort = new AbortController();
    const told: string[] = [];
    const call = program.call(
      'exec_command',
      {
        cmd: 'for i in 1 2 3; do echo step $i; sleep 0.15; done; sleep 60.25',
        login: false,
        yield_time_ms: 30_000,
      },
      {
        signal: abort.signal,
        onprogress: ({ message = '' }) => {
          told.push(message);
          if (message === 'step 3') abort.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    // On a busy machine several lines come at once, and the newest is told.
    expect(told.at(-1)).toBe('step 3');
    const { sessions } = (await program.call('list_sessions', {})).data as {
      sessions: { session_id: number }[];
    };
    expect(sessions.length).toBe(1);
    const [session] = sessions;
    const ended = await program.call('write_stdin', {
      session_id: session?.session_id,
      chars: '\u0003',
      yield_time_ms: 10_000,
    });
    expect(ended.data).toMatchObject({ exit_code: 130 });
  });
});

describe('mcp-server', () => {
  it('refuses wrong arguments', async () => {
    await using program = await McpProgram.start();
    for (const [name, args, message] of [
      ['exec_command', {}, '`cmd`'],
      ['exec_command', { cmd: 7 }, 'cmd'],
      ['write_stdin', { session_id: 'x' }, 'session_id'],
      ['read_file', {}, '`path` is missing'],
      ['read_file', { path: 'x\0y' }, 'NUL'],
      ['read_file', { path: 'x', limit: 0 }, '`limit` must be a whole number from 1'],
      ['write_file', { path: 'x' }, '`content` is missing'],
      ['write_file', { path: 'x', content: '\ud800' }, 'lone surrogate'],
      ['apply_patch', { patch: 5 }, '`patch`'],
      ['list_directory', { path: '' }, '`path` is empty'],
    ] as const) {
      await expect(program.call(name, args)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
      });
    }
  });

  it('says what the file system says, and lets no file tool out of the sandbox', async () => {
    const path = outside('file');
    await using program = await McpProgram.start(['--sandbox', 'read-only']);
    writeFileSync(join(program.folder, 'binary'), Buffer.from([0, 255, 254]));
    expect(await program.call('read_file', { path: 'none' })).toMatchObject({
      isError: true,
      data: { error: { code: 'fs.notFound' } },
    });
    expect(await program.call('read_file', { path: 'binary' })).toMatchObject({
      isError: true,
      data: { error: { code: 'output.invalid', hint: expect.stringContaining('exec_command') } },
    });
    for (const target of [path, 'inside']) {
      expect(await program.call('write_file', { path: target, content: 'x' })).toMatchObject({
        isError: true,
      });
    }
    expect(existsSync(path)).toBe(false);
    expect((await program.exec('echo x > inside')).data).toMatchObject({ sandbox_denied: true });
  });

  it('judges commands by rule files', async () => {
    const rules = outside('rules');
    writeFileSync(rules, 'prefix_rule(["echo", "no"], "forbidden", justification="never say no")\n');
    onTestFinished(() => rmSync(rules));
    await using program = await McpProgram.start(['--rules', rules]);
    expect((await program.exec('echo yes')).data).toMatchObject({ output: 'yes\n' });
    expect(await program.exec('true && echo no')).toMatchObject({
      isError: true,
      data: { error: { code: 'tool.forbidden', message: expect.stringContaining('never say no') } },
    });
  });

  it('works on another server', async () => {
    await using server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
    const program = await McpProgram.start(['--url', await server.url()]);
    const word = `63.${process.pid}`;
    await program.exec(`setsid sleep ${word} > /dev/null 2>&1 & sleep ${word}`, { yield_time_ms: 250 });
    await program.exec(`setsid sleep ${word} > /dev/null 2>&1 & echo`);
    expect((await program.exec('echo $PPID')).data).toMatchObject({ exit_code: 0 });
    await program.call('write_file', { path: 'x', content: 'over there' });
    expect(readFileSync(join(program.folder, 'x'), 'utf8')).toBe('over there');
    expect(running(word).length).toBeGreaterThan(1);
    await program[Symbol.asyncDispose]();
    expect(running(word)).toEqual([]);
  });

  it('ends with a sentence when its server is another one all of a sudden', async () => {
    const first = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
    const url = await first.url();
    const program = await McpProgram.start(['--url', url]);
    const open = program.exec('sleep 64', { yield_time_ms: 30_000 });
    const sessions = async () => (await program.call('list_sessions', {})).data['sessions'];
    await expect.poll(sessions).toHaveLength(1);
    await first[Symbol.asyncDispose]();
    await using _second = new ExecServerProgram(['exec-server', '--listen', url]);
    expect(await open).toMatchObject({ isError: true, data: { error: { code: 'tool.processLost' } } });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/trying to connect again\n.*is lost/s);
    await program[Symbol.asyncDispose]();
  });

  it('ends with its input, code 0, and leaves nothing, not even what commands left behind', async () => {
    const program = await McpProgram.start();
    const word = `61.${process.pid}`;
    await program.exec(`sleep ${word} & sleep ${word} > /dev/null 2>&1 & sleep ${word}`, {
      yield_time_ms: 250,
    });
    await program.exec(`setsid sleep ${word} > /dev/null 2>&1 & echo`);
    expect(running(word).length).toBeGreaterThan(1);
    await program[Symbol.asyncDispose]();
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(running(word)).toEqual([]);
  });

  it('leaves nothing when it is killed', async () => {
    const program = await McpProgram.start();
    const word = `62.${process.pid}`;
    await program.exec(`setsid sleep ${word} > /dev/null 2>&1 & sleep ${word}`, { yield_time_ms: 250 });
    expect(running(word).length).toBeGreaterThan(1);
    program.child.kill('SIGKILL');
    await expect.poll(() => running(word), { timeout: 10_000 }).toEqual([]);
    await program[Symbol.asyncDispose]();
  });

  it.each([
    [['--sandbox', 'none'], 2, "option '--sandbox <mode>' argument 'none' is invalid"],
    [['--rules', '/nonexistent.rules'], 1, '/nonexistent.rules'],
    [['--url', 'ws://127.0.0.1:9'], 1, '127.0.0.1:9'],
    [['--sandbox', 'read-only', '--writable', '/x'], 1, '`--writable` needs'],
    [['--cwd', '/nonexistent'], 1, "`--cwd` is a folder on the server's machine, and /nonexistent is none"],
    [['--cwd', '/dev/null'], 1, '/dev/null is none'],
  ])('ends at once with %j', async (flags, code, sentence) => {
    await using program = new ExecServerProgram(['mcp-server', ...flags]);
    expect(await program.exited).toMatchObject({ code });
    expect(program.stderr).toContain(sentence);
    expect(program.stdout).toBe('');
  });
});
