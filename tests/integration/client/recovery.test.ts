import {
  type ConnectionEvent,
  ExecServerClient,
  ExecServerError,
  type ProcessEvent,
  type Result,
} from '@codex/exec-client';
import { afterEach, expect, it } from 'vitest';
import { type CuttingProxy, cuttingProxy } from './support/cutting-proxy.js';
import { describeOnEveryTarget } from './support/targets.js';

describeOnEveryTarget('recovery', (suite) => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function throughProxy(
    options: Parameters<typeof ExecServerClient.connect>[1] = {},
  ): Promise<{ client: ExecServerClient; proxy: CuttingProxy }> {
    const proxy = await cuttingProxy(suite.target());
    endings.push(() => proxy.close());
    const client = await ExecServerClient.connect(proxy.address, options);
    endings.push(() => client.close());
    return { client, proxy };
  }

  function cutEvery(ms: number, proxy: CuttingProxy): void {
    const timer = setInterval(() => proxy.cut(), ms);
    endings.push(async () => clearInterval(timer));
  }

  it('loses and doubles nothing while lines stream, writes flow and the connection is cut every 300 ms', async () => {
    const { client, proxy } = await throughProxy();
    const echo = await client.spawn('while read -r line; do echo "got $line"; done', { stdin: 'pipe' });
    const count = 4000;
    const counter = await client.spawn(
      `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo "line $i"; [ $((i%20)) = 0 ] && sleep 0.01; done`,
    );
    cutEvery(300, proxy);
    const writing = (async () => {
      for (let index = 1; index <= 300; index++) {
        await echo.stdin.write(`${index}\n`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const lines: string[] = [];
    for await (const line of counter.stdout.lines()) lines.push(line);
    expect(lines).toEqual(Array.from({ length: count }, (_, index) => `line ${index + 1}`));
    await writing;
    await echo.waitFor('got 300\n', { timeoutMs: 20_000 });
    const { output } = await echo.yieldWindow({ ms: 0 });
    expect(output.lines).toEqual(Array.from({ length: 300 }, (_, index) => `got ${index + 1}`));
    expect(output.complete).toBe(true);
    expect(proxy.cuts).toBeGreaterThan(4);
  });

  it('repeats what is safe, so that runs and files work while the connection is cut', async () => {
    const { client, proxy } = await throughProxy();
    const directory = suite.directory();
    const block = new Uint8Array(200_000).map((_, index) => index % 251);
    cutEvery(150, proxy);
    for (let index = 0; index < 25; index++) {
      const result = await runAdmitted(client, `sleep 0.03; echo ${index}`);
      expect(result.outcome).toEqual({ kind: 'exited', exitCode: 0 });
      expect(result.stdout.text).toBe(`${index}\n`);
      await client.fs.write(`${directory}/file`, block);
      expect(Buffer.compare(await client.fs.readBytes(`${directory}/file`), block)).toBe(0);
    }
    expect(proxy.cuts).toBeGreaterThan(3);
  });

  // The real server can drop a start together with its connection; the client says that it does not know.
  async function runAdmitted(client: ExecServerClient, command: string): Promise<Result> {
    for (;;) {
      try {
        return await client.run(command);
      } catch (error) {
        const isDropped = ExecServerError.is(error, 'transport.lost') && error.admitted === 'unknown';
        if (suite.name !== 'real codex' || !isDropped) throw error;
      }
    }
  }

  it('tells its consumers, and a wait goes on', async () => {
    const seen: ConnectionEvent['type'][] = [];
    const { client, proxy } = await throughProxy({ onEvent: ({ type }) => seen.push(type) });
    const process = await client.spawn('echo before; sleep 0.5; echo after');
    await process.waitFor('before');
    proxy.cut();
    const outcome = await process.wait();
    expect(outcome).toEqual({ kind: 'exited', exitCode: 0 });
    const events: ProcessEvent['type'][] = [];
    for await (const { type } of process.events()) events.push(type);
    expect(events.filter((type) => type !== 'output')).toEqual([
      'reconnecting',
      'reconnected',
      'exited',
      'closed',
    ]);
    expect(seen).toEqual(['connected', 'reconnecting', 'reconnected']);
    expect((await process.result()).stdout.text).toBe('before\nafter\n');
  });

  it('gives up in bounded time: processes are lost as a value, calls with an error', async () => {
    const { client, proxy } = await throughProxy({ reconnect: { maxElapsedMs: 600 } });
    const process = await client.spawn('echo up; sleep 2');
    await process.waitFor('up');
    const run = client.run('echo up; sleep 2');
    for await (const _ of run) break;
    const started = Date.now();
    proxy.refuse();
    const outcome = await process.wait();
    expect(Date.now() - started).toBeLessThan(3000);
    expect(outcome).toMatchObject({ kind: 'lost', exitCode: null, error: { code: 'transport.lost' } });
    const result = await run;
    expect(result.outcome.kind).toBe('lost');
    expect(result.stdout.text).toBe('up\n');
    await expect(client.fs.stat('/tmp')).rejects.toMatchObject({ code: 'transport.lost', retryable: true });
    const failure = await (async () => {
      for await (const _ of process.stdout);
    })().catch((error: unknown) => error);
    expect(ExecServerError.is(failure, 'transport.lost')).toBe(true);
  });

  it('does not reconnect when it was told not to', async () => {
    const { client, proxy } = await throughProxy({ reconnect: false });
    const process = await client.spawn('sleep 2');
    const pending = client.fs.copy('/tmp/no-such-file-here', '/tmp/x').catch((error: unknown) => error);
    proxy.cut();
    expect(await process.wait()).toMatchObject({ kind: 'lost' });
    expect(await pending).toBeInstanceOf(ExecServerError);
    await expect(client.run('true')).rejects.toMatchObject({ code: 'transport.lost' });
  });

  it('counts what the server no longer has', async () => {
    const { client, proxy } = await throughProxy();
    const process = await client.spawn(
      'echo first; read -r _; head -c 30000000 /dev/zero | tr "\\0" x; echo; echo last; sleep 5',
      {
        stdin: 'pipe',
        bufferBytes: 100_000_000,
      },
    );
    await process.waitFor('first');
    if (suite.name !== 'real codex') {
      // Ours stalls the process instead of dropping output while a client may still come back.
      proxy.cut();
      await process.stdin.write('go\n');
      await process.waitFor('last', { timeoutMs: 30_000 });
      expect((await process.yieldWindow({ ms: 0 })).output.totalBytes).toBe(30_000_012);
      return;
    }
    // The command goes on without us, and 1 MiB of what it printed is kept.
    await process.stdin.write('go\n');
    proxy.stall();
    await new Promise((resolve) => setTimeout(resolve, 200));
    proxy.cut();
    await process.waitFor('last', { timeoutMs: 30_000 });
    const gaps = [];
    for await (const event of process.events({ signal: AbortSignal.timeout(1000) })) {
      if (event.type === 'gap') gaps.push(event.gap);
      if (event.type === 'output' && event.text.includes('last')) break;
    }
    const { output } = await process.yieldWindow({ ms: 0 });
    expect(output.complete).toBe(output.totalBytes === 30_000_012);
    expect(gaps.length > 0).toBe(output.totalBytes !== 30_000_012);
  });
});
