// What a call answers: exit codes, output, time, and what the shell itself says.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMark, processesWith, untilNone, untilSome } from './support/left-processes.js';
import { ShellServer } from './support/shell-server.js';

let server: ShellServer;
beforeAll(async () => {
  server = await ShellServer.start({ flags: ['--max-output-bytes', '1000', '--max-timeout-ms', '60000'] });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a result', () => {
  it('has both streams, in order and apart, and is the same as text', async () => {
    const message = await server.call({ command: 'echo a; echo b >&2; sleep 0.02; echo c; exit 7' });
    expect(message.result?.structuredContent).toMatchObject({
      exit_code: 7,
      stdout: 'a\nc\n',
      stderr: 'b\n',
      timed_out: false,
      truncated: false,
      omitted_bytes: 0,
      sandbox_denied: false,
      duration: { secs: 0, nanos: expect.any(Number) },
    });
    expect(message.result?.structuredContent?.output).toMatch(/c\n$/);
    expect(JSON.parse(message.result?.content?.[0]?.text ?? '')).toEqual(message.result?.structuredContent);
    expect(message.result).not.toHaveProperty('isError');
  });

  it.each([
    ['nosuchprogram', 127, 'bash: line 1: nosuchprogram: command not found\n'],
    ['/etc/passwd', 126, 'bash: line 1: /etc/passwd: Permission denied\n'],
    ['/nowhere/program', 127, 'bash: line 1: /nowhere/program: No such file or directory\n'],
    ['kill -TERM $$', 143, ''],
    ['sh -c "kill -9 \\$\\$"; echo $?', 0, expect.stringContaining('Killed')],
    ['((', 2, expect.stringContaining('bash: ')],
  ])('of %s is what Bash says', async (command, code, stderr) => {
    expect(await server.shell(command)).toMatchObject({ exit_code: code, stderr });
  });

  it('of a shell whose sandbox was opened from outside says what happened', async () => {
    const ready = join(server.workspace, 'ready');
    const running = server.shell(`echo begun; touch ready; while :; do sleep 0.05; done`);
    await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
    const placeholder = join(server.workspace, '.agents');
    rmSync(placeholder, { recursive: true });
    expect(await running).toMatchObject({
      exit_code: 137,
      stdout: 'begun\n',
      stderr: expect.stringMatching(
        /^exec-server: stopped: .*\/\.agents was replaced, removed or moved .*\n$/,
      ),
      sandbox_denied: false,
    });
    rmSync(ready);
    expect(await server.shell('echo again')).toMatchObject({ exit_code: 0 });
  });

  it('of a script without an interpreter is what Bash makes of it', async () => {
    const script = join(server.workspace, 'script');
    writeFileSync(script, 'echo no interpreter $1\n');
    chmodSync(script, 0o755);
    expect((await server.shell('./script x')).stdout).toBe('no interpreter x\n');
  });

  it('that is too long keeps the beginning and the end, and counts the rest', async () => {
    const result = await server.shell('echo BEGIN; seq 1 100000; echo END >&2');
    expect(result.output).toMatch(/^BEGIN\n1\n2\n/);
    expect(result.output).toMatch(/END\n$/);
    expect(result.truncated).toBe(true);
    const note = /\n\[… (\d+) bytes omitted …]\n/.exec(result.output);
    expect(Number(note?.[1])).toBe(result.omitted_bytes);
    const total =
      'BEGIN\nEND\n'.length + Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('').length;
    expect(Buffer.byteLength(result.output) - Buffer.byteLength(note?.[0] ?? '') + result.omitted_bytes).toBe(
      total,
    );
    expect(result.stderr).toBe('END\n');
  });

  it('has the replacement character for what is no text', async () => {
    expect((await server.shell("printf 'a\\xffb'")).stdout).toBe('a\ufffdb');
  });

  it('says when the sandbox was the reason', async () => {
    expect(await server.shell('echo x > /etc/planted')).toMatchObject({ exit_code: 1, sandbox_denied: true });
  });
});

describe('time', () => {
  it('that is up ends everything, and what was printed is there', async () => {
    const mark = newMark();
    const command = `echo partial; sleep ${mark} & sleep ${mark}`;
    // Long enough for a shell to start on a busy machine.
    expect(await server.shell(command, { timeout_ms: 1500 })).toMatchObject({
      exit_code: 124,
      timed_out: true,
      output: 'partial\n',
    });
    expect(processesWith(mark)).toEqual([]);
  });

  it('ends what does not listen, too', async () => {
    const mark = newMark();
    const command = `trap '' TERM; echo deaf; while :; do sleep ${mark} || :; done`;
    expect(await server.shell(command, { timeout_ms: 1500 })).toMatchObject({
      exit_code: 124,
      output: 'deaf\n',
    });
    expect(processesWith(mark)).toEqual([]);
  });

  it('is not waited for where only a child in the background needs it', async () => {
    const mark = newMark();
    const result = await server.shell(`(sleep ${mark}; echo late) & echo now`);
    expect(result).toMatchObject({ exit_code: 0, output: 'now\n', timed_out: false });
    await untilSome(mark);
  });
});

describe('progress', () => {
  it('shows the last line, with growing numbers', async () => {
    const id = server.begin(
      'tools/call',
      server.params(
        {
          command: 'for i in 1 2 3 4; do echo line $i; sleep 0.15; done',
          workdir: server.workspace,
          login: false,
        },
        { progressToken: 'token' },
      ),
    );
    await server.answerTo(id);
    const told = server.received.flatMap(({ method, params }) =>
      method === 'notifications/progress' ? [params] : [],
    );
    expect(told.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThan(20);
    expect(told.at(-1)?.message).toBe('line 4');
    const numbers = told.map((params) => params?.progress ?? 0);
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
  });
});

describe('a call that is wrong', () => {
  it.each([
    [{ command: 7 }, 'command'],
    [{ workdir: 'relative' }, 'workdir'],
    [{ workdir: '/no/such/folder' }, 'workdir'],
    [{ timeout_ms: -1 }, 'timeout_ms'],
    [{ timeout_ms: 60_001 }, 'timeout_ms'],
  ])('is refused: %j', async (values, named) => {
    const { error } = await server.call({ command: 'echo ran', ...values });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(named) });
  });

  it('does not end the server, and neither does a line that is none', async () => {
    server.line('this is no message');
    server.line('{"jsonrpc":"2.0","id":');
    server.line('[]');
    expect((await server.request('tools/list')).result?.['tools']).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('ends the tree and answers nothing', async () => {
    const mark = newMark();
    const id = server.begin(
      'tools/call',
      server.params({ command: `sleep ${mark}`, workdir: server.workspace, login: false }),
    );
    await untilSome(mark);
    server.send({ method: 'notifications/cancelled', params: { requestId: id } });
    await untilNone(mark);
    expect((await server.shell('echo alive')).stdout).toBe('alive\n');
    expect(server.received.some((message) => message.id === id && message.method === undefined)).toBe(false);
  });
});
