import { ExecServerError } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

describeOnEveryTarget('run', (suite) => {
  it('gives streams, order and exit code as values', async () => {
    const client = await suite.connect();
    const result = await client.run('echo out; echo err >&2; exit 3');
    expect(result.ok).toBe(false);
    expect(result.outcome).toEqual({ kind: 'exited', exitCode: 3 });
    expect(result.exitCode).toBe(3);
    expect(result.stdout.text).toBe('out\n');
    expect(result.stderr.text).toBe('err\n');
    expect(result.output.totalBytes).toBe(8);
    expect(result.output.complete).toBe(true);
    expect(result.pipesHeldOpen).toBe(false);
    expect(result.durationMs).toBeGreaterThan(0);
    expect(() => result.orThrow()).toThrow(/exited with code 3\nerr/);
  });

  it('runs an argv without a shell, in a directory, with an environment', async () => {
    const client = await suite.connect();
    const directory = suite.directory();
    const script = 'printf "%s|" "$PWD" "$ADDED" "$1" "$HOME"';
    const result = await client.run(['/bin/sh', '-c', script, 'sh', 'a b$c'], {
      cwd: directory,
      env: { ADDED: 'yes', HOME: undefined },
    });
    expect(result.stdout.text).toBe(`${directory}|yes|a b$c||`);
  });

  it('quotes the values of a template', async () => {
    const client = await suite.connect();
    const nasty = `it's "$HOME" \`id\` \\ *`;
    const result = await client.$`printf '%s\n' ${nasty} ${['x y', 'z']} ${3}`;
    expect(result.stdout.lines).toEqual([nasty, 'x y', 'z', '3']);
  });

  it('says which signal ended a command', async () => {
    const client = await suite.connect();
    const result = await client.run('kill -9 $$');
    expect(result.outcome).toEqual({ kind: 'exited', exitCode: 137, signal: 'SIGKILL' });
  });

  it('fails with a typed error when the program is missing', async () => {
    const client = await suite.connect();
    const failure = await client.run(['/no/such/program']).catch((error: unknown) => error);
    if (!ExecServerError.is(failure, 'process.spawn')) throw failure;
    expect(failure.details.reason).toBe('notFound');
    expect(failure.admitted).toBe(false);
    // Its handlers are gone: the same id may be used again.
    const { ok } = await client.run(['true'], { id: 'again' });
    expect(ok).toBe(true);
  });

  it('sends a whole input and its end', async () => {
    const client = await suite.connect();
    const text = 'line\n'.repeat(100_000);
    const result = await client.run(['wc', '-c'], { stdin: { data: text } });
    expect(Number(result.stdout.text)).toBe(text.length);
    const early = await client.run(['head', '-n', '1'], { stdin: { data: text } });
    expect(early.stdout.text).toBe('line\n');
    const none = await client.run(['cat']);
    expect(none.stdout.totalBytes).toBe(0);
  });

  it('parses JSON and checks it', async () => {
    const client = await suite.connect();
    expect(await client.run(`echo '{"a":[1,2]}'`).json()).toEqual({ a: [1, 2] });
    await expect(client.run('echo nonsense').json()).rejects.toMatchObject({ code: 'output.invalid' });
    await expect(client.run('echo no >&2; false').text()).rejects.toMatchObject({ code: 'process.failed' });
  });

  it('streams text as it comes and still gives the result', async () => {
    const client = await suite.connect();
    const run = client.run('for i in 1 2 3; do echo $i; sleep 0.05; done');
    const lines: string[] = [];
    for await (const line of run.lines()) lines.push(line);
    expect(lines).toEqual(['1', '2', '3']);
    expect((await run).ok).toBe(true);
  });

  it('stops a command at its timeout, also one that ignores interrupts', async () => {
    const client = await suite.connect();
    const started = Date.now();
    const polite = await client.run('sleep 30', { timeoutMs: 100 });
    expect(polite.outcome).toMatchObject({ kind: 'timedOut', timeoutMs: 100 });
    const stubborn = await client.run('trap "" INT; echo up; while :; do sleep 0.05; done', {
      timeoutMs: 200,
      stop: { graceMs: 200 },
    });
    expect(stubborn.outcome).toMatchObject({ kind: 'timedOut', exitCode: 137 });
    expect(stubborn.stdout.text).toBe('up\n');
    expect(Date.now() - started).toBeLessThan(5000);
  });

  it('does not hang on a timeout while a grandchild of its own session holds the pipe', async () => {
    const client = await suite.connect();
    const started = Date.now();
    const result = await client.run('setsid sleep 8 & echo up; sleep 30', {
      timeoutMs: 200,
      stop: { graceMs: 100 },
    });
    expect(result.outcome.kind).toBe('timedOut');
    expect(result.stdout.text).toBe('up\n');
    expect(Date.now() - started).toBeLessThan(4000);
  });

  it('ends at the exit although a background child holds the output open, and says so', async () => {
    const client = await suite.connect();
    const started = Date.now();
    const result = await client.run('sleep 3 & echo up');
    expect(result.outcome).toEqual({ kind: 'exited', exitCode: 0 });
    expect(result.stdout.text).toBe('up\n');
    expect(result.pipesHeldOpen).toBe(true);
    expect(Date.now() - started).toBeLessThan(2000);
  });

  it('stops when the caller aborts, before and after the start', async () => {
    const client = await suite.connect();
    const abort = new AbortController();
    const run = client.run('echo up; sleep 30', { signal: abort.signal, stop: { graceMs: 200 } });
    for await (const _ of run) break;
    abort.abort('enough');
    const result = await run;
    expect(result.outcome).toMatchObject({ kind: 'aborted', reason: 'enough' });
    expect(result.stdout.text).toBe('up\n');
    const never = await client.run('echo no', { signal: abort.signal });
    expect(never.outcome).toEqual({ kind: 'aborted', exitCode: null, reason: 'enough', started: false });
  });

  it('keeps the beginning and the end of too much output and counts the rest', async () => {
    const client = await suite.connect();
    const result = await client.run('head -c 300000 /dev/zero | tr "\\0" x; printf END', {
      capture: { maxBytes: 1000 },
    });
    expect(result.stdout.totalBytes).toBe(300_003);
    expect(result.stdout.omittedBytes).toBe(299_003);
    expect(result.stdout.complete).toBe(false);
    expect(result.stdout.text).toBe(
      `${'x'.repeat(500)}\n... 299003 bytes omitted ...\n${'x'.repeat(497)}END`,
    );
  });

  it('captures 50 MB with exact counts', async () => {
    const client = await suite.connect();
    const bytes = 50_000_000;
    const result = await client.run(`head -c ${bytes} /dev/zero | tr "\\0" a; echo done >&2`);
    expect(result.stdout.totalBytes).toBe(bytes);
    expect(result.stdout.bytes.length).toBe(bytes);
    expect(result.stdout.bytes.every((byte) => byte === 97)).toBe(true);
    expect(result.stdout.complete).toBe(true);
    expect(result.stderr.text).toBe('done\n');
  });

  it('runs many commands at once', async () => {
    const client = await suite.connect();
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => client.run(`echo ${index}`)));
    expect(results.map(({ stdout }) => Number(stdout.text))).toEqual(results.map((_, index) => index));
  });

  it('uses defaults, and what a call says itself goes first', async () => {
    const client = (await suite.connect()).with({ env: { WHO: 'default' }, cwd: '/tmp' });
    expect((await client.run('echo $WHO $PWD')).stdout.text).toBe('default /tmp\n');
    expect((await client.run('echo $WHO $PWD', { env: { WHO: 'me' } })).stdout.text).toBe('me /tmp\n');
  });
});
