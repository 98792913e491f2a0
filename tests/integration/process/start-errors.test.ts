// What cannot be started, with the codes and the texts that clients of the real server see, and ids that are taken.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RawClient, startParams } from './support/raw-client.js';
import { serve } from './support/served-server.js';

async function scratch(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'process-errors-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function refusalOf(client: RawClient, argv: readonly string[], more: Record<string, unknown> = {}) {
  return client.refusal('process/start', startParams('p', argv, more));
}

describe.each([
  ['a pipe', false],
  ['a pty', true],
])('a start on %s that cannot work', (_, tty) => {
  it('is refused with the code and the text of the cause, and frees the id', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const directory = await scratch();
    const notExecutable = join(directory, 'data');
    await writeFile(notExecutable, 'text');
    const large = 'x'.repeat(100_000);
    const cases: [readonly string[], Record<string, unknown>, number, string, object?][] = [
      [['/nope/x'], {}, -32603, 'No such file or directory (os error 2)', { program: '/nope/x' }],
      [['nope-x'], {}, -32603, 'No such file or directory (os error 2)', { program: 'nope-x' }],
      [
        ['/bin/true'],
        { cwd: 'file:///nope' },
        -32603,
        'No such file or directory (os error 2)',
        { cwd: '/nope' },
      ],
      [
        ['/bin/true'],
        { cwd: '/etc/passwd' },
        -32603,
        'Not a directory (os error 20)',
        { cwd: '/etc/passwd' },
      ],
      [['/tmp'], {}, -32603, 'Permission denied (os error 13)', { program: '/tmp' }],
      [[notExecutable], {}, -32603, 'Permission denied (os error 13)', { program: notExecutable }],
      [['/bin/echo', ...Array<string>(40).fill(large)], {}, -32603, 'Argument list too long (os error 7)'],
      [['/bin/echo', 'x'.repeat(200_000)], {}, -32603, 'Argument list too long (os error 7)'],
      [['/bin/echo', 'a\0b'], {}, -32603, 'nul byte found in provided data: argv[1]'],
      [['/bin/echo'], { arg0: 'a\0b' }, -32603, 'nul byte found in provided data: arg0'],
      [
        ['/bin/echo'],
        { env: { A: 'a\0b' } },
        -32603,
        'data provided contains a nul byte: environment variable "A"',
      ],
      [
        ['/bin/echo'],
        { env: { 'A=B': 'c' } },
        -32602,
        'environment variable name `A=B` must not contain `=`',
      ],
      [['/bin/echo'], { env: { '': 'c' } }, -32602, 'environment variable name must not be empty'],
      [[], {}, -32602, 'argv must not be empty'],
      [[''], {}, -32603, 'missing program for spawn: argv[0] is empty'],
      [['/bin/true'], { cwd: 'http://x/tmp' }, -32602, 'unsupported path URI scheme `http`'],
      [
        ['/bin/true'],
        { cwd: 'file://host/tmp' },
        -32602,
        "cwd URI `file://host/tmp` is not valid on this exec-server host: 'file://host/tmp' is invalid on 'linux'",
      ],
      [['/bin/true'], { networkProxy: {} }, -32602, 'sandbox intent cannot be enforced on this executor'],
    ];
    for (const [argv, more, code, message, data] of cases) {
      // The text is what every server says; what it is about stands beside it.
      expect(await refusalOf(client, argv, { tty, ...more })).toEqual({ code, message, data });
    }
    expect((await refusalOf(client, ['/bin/true'], { tty, cwd: 'tmp' })).message).toMatch(
      /^invalid URI: relative URL without a base/,
    );
    expect((await client.start('p', ['/bin/true'], { tty })).error).toBeUndefined();
    await client.untilClosed('p');
  });
});

describe('process ids', () => {
  it('are taken while a process starts, runs, and for a while after its end', async () => {
    const { client: connect } = await serve({ process: { exitedProcessRetentionMs: 300 } });
    const client = await connect();
    const replies = await Promise.all([
      client.start('p', ['/bin/sleep', '0.1']),
      client.start('p', ['/bin/true']),
    ]);
    expect(replies.map(({ error }) => error)).toEqual([
      undefined,
      { code: -32600, message: 'process p already exists' },
    ]);
    await client.untilClosed('p');
    expect((await client.start('p', ['/bin/true'])).error?.message).toBe('process p already exists');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await client.refusal('process/read', { processId: 'p' })).message).toBe('unknown process id p');
    expect((await client.start('p', ['/bin/true'])).error).toBeUndefined();
  });

  it('belong to a session: two sessions can use the same one', async () => {
    const { client: connect } = await serve();
    const [one, two] = [await connect(), await connect()];
    await one.start('p', ['/bin/sleep', '20']);
    expect((await two.refusal('process/read', { processId: 'p' })).message).toBe('unknown process id p');
    expect((await two.start('p', ['/bin/true'])).error).toBeUndefined();
  });

  it('may be any string, but not one that bloats every event', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    expect((await client.start('', ['/bin/true'])).error).toBeUndefined();
    expect((await client.start('__proto__', ['/bin/true'])).error).toBeUndefined();
    await client.untilClosed('__proto__');
    expect((await client.start('x'.repeat(1025), ['/bin/true'])).error?.code).toBe(-32602);
  });
});

describe('the limits on processes', () => {
  it('refuse one more than a session may have, until one ends', async () => {
    const { client: connect } = await serve({ process: { maxProcessesPerSession: 2 } });
    const client = await connect();
    await client.start('a', ['/bin/sleep', '20']);
    await client.start('b', ['/bin/sleep', '20']);
    expect(await client.refusal('process/start', startParams('c', ['/bin/true']))).toMatchObject({
      code: -32600,
      message: expect.stringContaining(
        'this session has 2 live processes, its limit (maxProcessesPerSession)',
      ),
    });
    await client.call('process/terminate', { processId: 'a' });
    await client.untilClosed('a');
    await expect.poll(async () => (await client.start('c', ['/bin/true'])).error).toBeUndefined();
  });

  it('refuse one more than the server may have', async () => {
    const { client: connect } = await serve({ process: { maxProcesses: 1 } });
    const [one, two] = [await connect(), await connect()];
    await one.start('a', ['/bin/sleep', '20']);
    expect((await two.start('b', ['/bin/true'])).error?.message).toContain('its limit (maxProcesses)');
  });
});
