// What callers may rely on beyond the happy path, on real servers.

import { chmodSync, createReadStream, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { ExecServerClient, type SandboxOption } from '@codex/exec-client';
import { fullAccess, readOnly, workspaceWrite } from '@codex/sandbox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

describeOnEveryTarget('manners of the client', (suite) => {
  it('a timeout is an outcome, however many run at once', async () => {
    const client = await suite.connect();
    const running = Array.from({ length: 300 }, () =>
      client.run(['sleep', '60'], { timeoutMs: 150, stop: { interruptFirst: false } }),
    );
    const kinds = (await Promise.all(running)).map(({ outcome }) => outcome);
    for (const outcome of kinds) expect(outcome).toEqual({ kind: 'timedOut', exitCode: 137, timeoutMs: 150 });
  });

  it('refuses wrong options before anything is sent', async () => {
    const client = await suite.connect();
    const wrong = { timeout: 5 } as object;
    await expect(client.run('true', wrong)).rejects.toThrow('did you mean `timeoutMs`?');
    await expect(client.spawn('true', wrong)).rejects.toThrow('did you mean `timeoutMs`?');
    await expect(ExecServerClient.connect(suite.target().address, wrong)).rejects.toThrow(
      'did you mean `connectTimeoutMs`?',
    );
    const argv: string[] = ['echo', 'a list'];
    expect(await client.run(argv).text()).toBe('a list\n');
  });

  it('refuses wrong options of every method, and the process does not notice', async () => {
    const client = await suite.connect();
    const shell = await client.spawn('cat', { stdin: 'pipe' });
    const wrong = { timeout: 5 } as object;
    const refused = { code: 'argument.invalid', details: { argument: 'timeout' } };
    await expect(shell.waitFor('x', wrong)).rejects.toMatchObject(refused);
    await expect(shell.wait(wrong)).rejects.toMatchObject(refused);
    await expect(shell.stop(wrong)).rejects.toMatchObject(refused);
    await expect(shell.interact('lost\n', { ms: 1, ...wrong })).rejects.toMatchObject(refused);
    await expect(shell.stdin.write('lost\n', wrong)).rejects.toMatchObject(refused);
    expect(() => shell.stdout.lines(wrong)).toThrow(expect.objectContaining(refused));
    await expect(client.fs.stat('/', wrong)).rejects.toMatchObject(refused);
    await expect(client.attach(shell.id, wrong)).rejects.toMatchObject(refused);
    await shell.stdin.write('kept\n');
    await shell.waitFor('kept');
    await shell.stop();
    expect(shell.peek().stdout.text).toBe('kept\n');
  });

  // Through `never`, as JavaScript has no types that would say it sooner.
  it('refuses wrong arguments at once, and never hangs or sends something else', async () => {
    const client = await suite.connect();
    const cat = await client.spawn('cat', { stdin: 'pipe' });
    const file = `${suite.directory()}/never-written`;
    const mistakes: readonly [string, () => Promise<unknown>][] = [
      ['a command is a string', () => client.run(undefined as never)],
      ['a command is a string', () => client.spawn(5 as never)],
      ['a command is a string', () => client.run({ file: 'ls' } as never)],
      ['a command is a string', () => client.run({ shell: 5 } as never)],
      ['every word of it is a string, not 1', () => client.run(['echo', 1] as never)],
      ['a command needs a program', () => client.run([])],
      ['what the command reads', () => client.run('cat', { stdin: { data: 5 as never } })],
      ['what is written', () => cat.stdin.write(5 as never)],
      ['what is written', () => cat.stdin.write({} as never)],
      ["did you mean 'ctrl-c'?", () => cat.stdin.keys('ctrlc' as never)],
      ['what is written', () => client.fs.write(file, 5 as never).then()],
      ['what is written', () => client.fs.write(file, [5] as never).then()],
      ['a path is a string, not undefined', () => client.fs.readText(undefined as never)],
      ['a path is a string, not 5', () => client.fs.copy('/etc/hosts', 5 as never)],
      ['a path is a string, not undefined', () => client.fs.upload(undefined as never, file).then()],
      ["did you mean 'SIGTERM'?", () => cat.signal('TERM' as never)],
      ['a signal is', () => cat.signal(15 as never)],
      ['call: the name of a method', () => client.call(undefined as never, null as never)],
      ['a process is named by its id', () => client.attach(undefined as never)],
      ['readOnly() of @codex/sandbox makes one', () => client.run('true', { sandbox: 'read-only' as never })],
    ];
    for (const [message, call] of mistakes) {
      const error = await call().catch((reason: unknown) => reason);
      expect(error, message).toMatchObject({
        code: 'argument.invalid',
        message: expect.stringContaining(message),
      });
    }
    await cat.stdin.write('kept');
    await cat.stdin.end();
    expect((await cat.result()).stdout.text).toBe('kept');
    expect(await client.fs.exists(file)).toBe(false);
  });

  it('ends a command whose input cannot be read to the end, and says why', async () => {
    const client = await suite.connect();
    if (!client.supports('stdin.end')) return;
    const missing = createReadStream(`${suite.directory()}/no-such-file`);
    const { outcome } = await client.run('cat', { stdin: { data: missing } });
    expect(outcome).toMatchObject({ kind: 'aborted', reason: { code: 'ENOENT' } });
    const wrong = ['one\n', 2] as unknown as string[];
    const partly = await client.run('cat', { stdin: { data: wrong } });
    expect(partly.outcome).toMatchObject({ kind: 'aborted', reason: { code: 'argument.invalid' } });
  });

  it('keeps secrets of the server from a command unless it asks for them', async () => {
    const client = await suite.connect();
    const names = ['PGPASSWORD', 'MY_DATABASE_URL', 'SSH_AUTH_SOCK', 'GITHUB_PAT', 'PLAIN_NAME'];
    for (const name of names) process.env[name] = `value of ${name}`;
    try {
      const print = names.map((name) => `echo "$${name}"`).join('; ');
      const hidden = await client.run(print);
      expect(hidden.stdout.lines).toEqual(['', '', '', '', 'value of PLAIN_NAME']);
      const given = await client.run('echo "$PGPASSWORD"', { env: { PGPASSWORD: 'given' } }).text();
      expect(given).toBe('given\n');
      const all = await client.run(print, { inheritEnv: { ignoreDefaultExcludes: true } });
      expect(all.stdout.lines).toEqual(names.map((name) => `value of ${name}`));
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    }
  });

  it('lists the processes of the session and asks anything by name', async () => {
    const client = await suite.connect();
    if (!client.supports('process.list')) return;
    await using sleeper = await client.spawn(['sleep', '60'], { cwd: '/' });
    expect(await client.processes()).toMatchObject([
      { id: sleeper.id, command: 'sleep 60', cwd: '/', tty: false, state: 'running' },
    ]);
    expect(await client.call('environment/status', null)).toEqual({ status: 'ready' });
  });

  it('never makes an upload more readable than its source, and says what it left out', async () => {
    const client = await suite.connect();
    const directory = suite.directory();
    mkdirSync(`${directory}/from/private`, { recursive: true });
    writeFileSync(`${directory}/from/secret`, 'x'.repeat(2_000_000));
    writeFileSync(`${directory}/from/private/key`, 'k');
    writeFileSync(`${directory}/from/public`, 'p');
    symlinkSync('/nowhere', `${directory}/from/out`);
    chmodSync(`${directory}/from/secret`, 0o600);
    chmodSync(`${directory}/from/private`, 0o700);
    chmodSync(`${directory}/from/public`, 0o644);
    const summary = await client.fs.upload(`${directory}/from`, `${directory}/to`);
    expect(summary).toEqual({
      files: 3,
      bytes: 2_000_002,
      skipped: [{ path: 'out', why: client.supports('fs.trees') ? 'linkLeadsOut' : 'brokenLink' }],
    });
    const mode = (path: string) => statSync(`${directory}/${path}`).mode & 0o777;
    expect([mode('to/secret'), mode('to/private'), mode('to/public')]).toEqual([0o600, 0o700, 0o644]);
    chmodSync(`${directory}/to/secret`, 0o644);
    await client.fs.upload(`${directory}/from/secret`, `${directory}/to/secret`);
    expect(mode('to/secret')).toBe(0o600);
  });

  it('takes the policies of @codex/sandbox', async () => {
    const client = await suite.connect();
    const cwd = suite.directory();
    const touch = (sandbox: SandboxOption) => client.run('echo x > here', { cwd, sandbox });
    const denied = await touch(readOnly());
    expect(denied.outcome.kind).toBe('denied');
    if (denied.outcome.kind === 'denied' && denied.outcome.denial.reason !== undefined) {
      expect(denied.outcome.denial).toMatchObject({
        reason: 'read_only_file_system',
        line: expect.stringContaining('here'),
      });
    }
    expect((await touch(workspaceWrite())).ok).toBe(true);
    expect((await touch(fullAccess())).ok).toBe(true);
    await expect(client.fs.write(`${cwd}/y`, '', { sandbox: readOnly() })).rejects.toMatchObject({
      code: 'fs.denied',
    });
    await expect(touch(readOnly({ network: 'loopback' }))).rejects.toMatchObject({
      code: 'argument.invalid',
    });
  });
});

describe('the types', () => {
  it('of a policy are those of @codex/sandbox', () => {
    expectTypeOf<ReturnType<typeof readOnly>>().toExtend<SandboxOption>();
    expectTypeOf<ReturnType<typeof workspaceWrite>>().toExtend<SandboxOption>();
  });
});
