// Starting, the forms of a start, and its output, over a real websocket.
import { describe, expect, it } from 'vitest';
import { shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';

describe('process/start', () => {
  it('runs a command: reply first, then output, exited and closed with contiguous numbers', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const { result } = await client.start('p', shell('echo out; echo err >&2; exit 7'));
    expect(result).toEqual({ processId: 'p', sandboxType: 'none' });
    await client.untilClosed('p');
    const events = client.eventsOf('p');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(client.order.indexOf('reply 2')).toBeLessThan(
      client.order.findIndex((line) => line.includes(' p ')),
    );
    expect(client.bytesOf('p', 'stdout').toString()).toBe('out\n');
    expect(client.bytesOf('p', 'stderr').toString()).toBe('err\n');
    expect(events.find(({ method }) => method === 'process/exited')).toMatchObject({
      exitCode: 7,
      sandboxDenied: false,
    });
    expect(events.at(-1)?.method).toBe('process/closed');
  });

  it('runs on a pty with the asked size and merges both streams into one', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('stty size; tty >/dev/null && echo yes; echo err >&2'), {
      tty: true,
      rows: 31,
      cols: 97,
    });
    await client.untilClosed('p');
    expect(client.bytesOf('p', 'pty').toString()).toBe('31 97\r\nyes\r\nerr\r\n');
  });

  it('takes the direct and the prepared form, with io', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const direct = {
      kind: 'direct',
      processId: 'd',
      argv: shell('stty size'),
      cwd: '/tmp',
      env: { PATH: '/usr/bin:/bin' },
      io: { type: 'pty', rows: 5, cols: 6 },
    };
    expect((await client.request('process/start', direct)).result).toMatchObject({ processId: 'd' });
    const request = {
      argv: shell('echo "$0-$A"; cat'),
      cwd: '/tmp',
      env: { PATH: '/usr/bin:/bin', A: 'b' },
      arg0: 'zero',
      sandboxType: 'linuxSeccomp',
    };
    const prepared = { kind: 'prepared', processId: 'q', request, io: { type: 'pipe', stdin: 'open' } };
    expect((await client.request('process/start', prepared)).result).toEqual({
      processId: 'q',
      sandboxType: 'linuxSeccomp',
    });
    await client.call('process/write', { processId: 'q', chunk: Buffer.from('in').toString('base64') });
    await client.call('process/closeStdin', { processId: 'q' });
    await Promise.all([client.untilClosed('d'), client.untilClosed('q')]);
    expect(client.bytesOf('d').toString()).toBe('5 6\r\n');
    expect(client.bytesOf('q').toString()).toBe('zero-b\nin');
  });

  it('refuses a form that the server does not allow', async () => {
    const { client: connect } = await serve({ process: { allowDirectExec: false } });
    const client = await connect();
    const { error } = await client.start('p', ['/bin/true']);
    expect(error).toEqual({ code: -32600, message: 'direct execution is not allowed on this exec-server' });
  });

  it('gives a child the policy’s environment with the request’s on top', async () => {
    const { client: connect } = await serve({
      env: { PATH: '/usr/bin:/bin', HOME: '/h', MY_TOKEN: 't', NODE_REPL_AUTH_TOKEN: 's', X: '1' },
    });
    const client = await connect();
    const envPolicy = {
      inherit: 'all',
      ignoreDefaultExcludes: false,
      exclude: ['H*'],
      set: { S: '2' },
      includeOnly: [],
    };
    await client.start('p', ['/usr/bin/env'], {
      env: { OVER: '3', NODE_REPL_AUTH_TOKEN: 'again' },
      envPolicy,
    });
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString().trim().split('\n').sort()).toEqual([
      'OVER=3',
      'PATH=/usr/bin:/bin',
      'S=2',
      'X=1',
    ]);
  });

  it('says how a command died: 128 plus the signal, on pipes and on ptys', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    for (const tty of [false, true]) {
      const processId = `kill ${tty}`;
      await client.start(processId, shell('kill -TERM $$'), { tty });
      await client.untilClosed(processId);
      expect(client.eventsOf(processId).find(({ exitCode }) => exitCode !== undefined)?.exitCode).toBe(143);
    }
  });

  it('reports the exit at once when a background child keeps the output open, and closed only after it', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('(sleep 2; echo late) & echo early'));
    await client.untilExited('p', 1900);
    expect(client.has('p', 'process/closed')).toBe(false);
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString()).toBe('early\nlate\n');
    const methods = client.eventsOf('p').map(({ method }) => method);
    expect(methods.indexOf('process/exited')).toBeLessThan(methods.lastIndexOf('process/output'));
  });

  it('sends started and failed only to a client that asked for them', async () => {
    const { client: connect } = await serve();
    const client = await connect({ resumeSessionId: null, lifecycleNotifications: true });
    await client.start('p', ['/bin/sleep', '30']);
    await client.until(() => client.has('p', 'process/started'));
    const pid = client.eventsOf('p')[0]?.pid ?? 0;
    expect(() => process.kill(pid, 0)).not.toThrow();
    const plain = await connect();
    await plain.start('p', ['/bin/true']);
    await plain.untilClosed('p');
    expect(plain.has('p', 'process/started')).toBe(false);
  });
});
