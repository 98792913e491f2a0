import { ExecServerError } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

describeOnEveryTarget('a process', (suite) => {
  it('is a handle that is not awaitable and whose events come in order', async () => {
    const client = await suite.connect();
    const process = await client.spawn('echo one; echo two >&2; exit 7');
    expect(process).not.toHaveProperty('then');
    const seen: string[] = [];
    let lastSeq = 0;
    for await (const event of process) {
      seen.push(event.type === 'output' ? event.stream : event.type);
      if ('seq' in event) {
        expect(event.seq).toBe(lastSeq + 1);
        lastSeq = event.seq;
      }
    }
    // An exit may be noticed before the last output is read; close is always the last.
    expect([...seen].sort()).toEqual(['closed', 'exited', 'stderr', 'stdout']);
    expect(seen.at(-1)).toBe('closed');
    expect(await process.wait()).toEqual({ kind: 'exited', exitCode: 7 });
    expect(process.state).toBe('closed');
  });

  it('lets readers come late, leave early and run side by side', async () => {
    const client = await suite.connect();
    const process = await client.spawn('for i in 1 2 3 4 5; do echo line $i; sleep 0.02; done');
    for await (const line of process.stdout.lines()) {
      expect(line).toBe('line 1');
      break;
    }
    const read = async (): Promise<string[]> => {
      const lines: string[] = [];
      for await (const line of process.output.lines()) lines.push(line);
      return lines;
    };
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
    expect(second).toEqual(first);
    expect(await read()).toEqual(first);
    expect(await process.wait()).toEqual({ kind: 'exited', exitCode: 0 });
  });

  it('leaves a loop at once and does not touch the process', async () => {
    const client = await suite.connect();
    const process = await client.spawn('echo first; sleep 0.3; echo last');
    const started = Date.now();
    for await (const _ of process.output) break;
    expect(Date.now() - started).toBeLessThan(250);
    expect(process.state).toBe('running');
    const { stdout } = await process.result();
    expect(stdout.text).toBe('first\nlast\n');
  });

  it('ends a loop at the exit although a background child holds the output', async () => {
    const client = await suite.connect();
    const process = await client.spawn('sleep 4 & echo up');
    const started = Date.now();
    const lines: string[] = [];
    for await (const line of process.stdout.lines()) lines.push(line);
    expect(lines).toEqual(['up']);
    expect(Date.now() - started).toBeLessThan(2000);
  });

  it('gives bytes as they are and text that never splits a character', async () => {
    const client = await suite.connect();
    const process = await client.spawn(
      String.raw`printf '\303'; sleep 0.1; printf '\251 \360\237'; sleep 0.1; printf '\230\200'; printf '\377'`,
    );
    const pieces: string[] = [];
    for await (const text of process.stdout) pieces.push(text);
    expect(pieces.join('')).toBe('é 😀\uFFFD');
    expect(pieces.every((piece) => piece !== '')).toBe(true);
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdout.bytes()) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString('hex')).toBe('c3a920f09f9880ff');
  });

  it('reads one JSON value per line', async () => {
    const client = await suite.connect();
    const process = await client.spawn(`printf '{"n":1}\\n\\n{"n":2}\\n'`);
    const values: unknown[] = [];
    for await (const value of process.stdout.ndjson()) values.push(value);
    expect(values).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('takes input and waits for text, each time behind the last match', async () => {
    const client = await suite.connect();
    const process = await client.spawn('while read -r line; do echo "got $line"; done', { stdin: 'pipe' });
    await process.stdin.write('a\n');
    await process.waitFor('got a\n', { timeoutMs: 5000 });
    await process.stdin.write('b\nc\n');
    const { match } = await process.waitFor(/got (\w)\n/, { timeoutMs: 5000 });
    expect(match[1]).toBe('b');
    await process.waitFor('got c', { timeoutMs: 5000 });
    expect(process.stdin.open).toBe(true);
    await process.terminate();
    expect(await process.wait()).toMatchObject({ kind: 'terminated', exitCode: 137 });
  });

  it('fails a wait when the time is up or the process ends, with what it printed', async () => {
    const client = await suite.connect();
    const process = await client.spawn('echo nothing here; sleep 0.4; echo bye');
    const timeout = await process.waitFor('never', { timeoutMs: 100 }).catch((error: unknown) => error);
    if (!ExecServerError.is(timeout, 'process.waitTimeout')) throw timeout;
    expect(timeout.details.tail).toBe('nothing here\n');
    const ended = await process.waitFor('never').catch((error: unknown) => error);
    if (!ExecServerError.is(ended, 'process.endedBefore')) throw ended;
    expect(ended.details.tail).toBe('nothing here\nbye\n');
  });

  it('refuses input where there is none', async () => {
    const client = await suite.connect();
    const process = await client.spawn('sleep 5');
    await expect(process.stdin.write('x')).rejects.toMatchObject({ code: 'process.stdinClosed' });
    await expect(client.spawn('sleep 5', { id: process.id })).rejects.toMatchObject({
      code: 'process.idInUse',
    });
  });

  it('collects in windows that say where the process stands', async () => {
    const client = await suite.connect();
    const process = await client.spawn('echo one; sleep 0.3; echo two; sleep 30');
    const first = await process.yieldWindow({ ms: 5000, until: 'one' });
    expect(first).toMatchObject({ state: 'running', endedBy: 'until' });
    const second = await process.yieldWindow({ ms: 5000, idleMs: 600 });
    expect(second).toMatchObject({ state: 'running', endedBy: 'idle' });
    expect(second.output.text).toBe('two\n');
    const third = await process.yieldWindow({ ms: 100 });
    expect(third).toMatchObject({ state: 'running', endedBy: 'deadline' });
    expect(third.output.totalBytes).toBe(0);
    const again = await process.yieldWindow({ ms: 100, from: first.cursor });
    expect(again.output.text).toBe('two\n');
    await process.terminate();
    const last = await process.yieldWindow({ ms: 5000 });
    expect(last).toMatchObject({ state: 'finished', endedBy: 'exit', outcome: { kind: 'terminated' } });
  });

  it('talks on a terminal', async () => {
    const client = await suite.connect();
    const process = await client.spawn(['/bin/bash', '--norc'], { tty: true, env: { PS1: 'ready> ' } });
    await process.waitFor('ready> ', { timeoutMs: 10_000 });
    const turn = await process.interact('echo $((6*7))\n', { ms: 10_000, until: /^42\r?\n/m });
    expect(turn.endedBy).toBe('until');
    const sleeping = await process.interact('sleep 30\n', { ms: 300 });
    expect(sleeping.state).toBe('running');
    await process.stdin.keys('ctrl-c');
    await process.waitFor('ready> ', { timeoutMs: 10_000, from: sleeping.cursor });
    await process.stdin.end();
    expect(await process.wait({ timeoutMs: 10_000 })).toMatchObject({ kind: 'exited', exitCode: 130 });
  });

  it('interrupts, stops and is disposed of in bounded time', async () => {
    const client = await suite.connect();
    const trapping = await client.spawn(
      'trap "echo caught; exit 42" INT; echo up; while :; do sleep 0.05; done',
    );
    await trapping.waitFor('up');
    await trapping.interrupt();
    expect(await trapping.wait()).toEqual({ kind: 'exited', exitCode: 42 });
    const stubborn = await client.spawn('trap "" INT; echo up; while :; do sleep 0.05; done');
    await stubborn.waitFor('up');
    const outcome = await stubborn.stop({ graceMs: 100 });
    expect(outcome).toEqual({ kind: 'terminated', exitCode: 137 });
    let disposed: typeof stubborn;
    {
      await using process = await client.spawn('sleep 30');
      disposed = process;
    }
    expect(disposed.state).not.toBe('running');
  });

  it('waits for a port that the process opens', async () => {
    const client = await suite.connect();
    const server = `require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1')`;
    // Below the ports that the kernel gives to the connections of other tests.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    await using process = await client.spawn([
      globalThis.process.execPath,
      '-e',
      `setTimeout(() => {${server}}, 200)`,
      String(port),
    ]);
    await process.waitForPort(port, { timeoutMs: 20_000 });
    const gone = await client.spawn('sleep 0.1');
    await expect(gone.waitForPort(1, { timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'process.endedBefore',
    });
  });

  it('is detached from one client and attached by another', async () => {
    const client = await suite.connect();
    const process = await client.spawn('while read -r line; do echo "got $line"; done', { stdin: 'pipe' });
    await process.stdin.write('before\n');
    await process.waitFor('got before');
    const ref = JSON.parse(JSON.stringify(process.detach()));
    await client.close();
    const next = await suite.connect({ resume: ref });
    expect(next.sessionId).toBe(client.sessionId);
    const same = await next.attach(ref);
    await same.stdin.write('after\n');
    await same.waitFor('got after', { timeoutMs: 5000 });
    const lines = (await same.yieldWindow({ ms: 0 })).output.lines;
    expect(lines).toEqual(['got after']);
    await same.terminate();
    await same.wait();
    await expect(next.attach('no-such-process')).rejects.toMatchObject({ code: 'process.unknown' });
  });

  it('says what the server does not support before anything is sent', async () => {
    const client = await suite.connect();
    const process = await client.spawn('cat', { stdin: 'pipe' });
    const terminal = await client.spawn('sleep 20', { tty: true });
    if (suite.name === 'real codex') {
      expect(client.supports('stdin.end')).toBe(false);
      await expect(process.stdin.end()).rejects.toMatchObject({ code: 'unsupported' });
      await expect(process.communicate('x')).rejects.toMatchObject({ code: 'unsupported' });
      await expect(process.signal('SIGTERM')).rejects.toMatchObject({ code: 'unsupported' });
      await expect(terminal.resize({ rows: 50, cols: 100 })).rejects.toMatchObject({ code: 'unsupported' });
      await expect(client.spawn('true', { tty: { rows: 50, cols: 100 } })).rejects.toMatchObject({
        code: 'unsupported',
        details: { capability: 'pty.size' },
      });
      expect(process.state).toBe('running');
    } else {
      const result = await process.communicate('hello\n');
      expect(result.stdout.text).toBe('hello\n');
      await terminal.resize({ rows: 50, cols: 100 });
      const sized = await client.run(['stty', 'size'], { tty: { rows: 41, cols: 97 } });
      expect(sized.stdout.text).toBe('41 97\r\n');
      await terminal.signal('SIGTERM');
      expect(await terminal.wait()).toMatchObject({ kind: 'exited', signal: 'SIGTERM' });
    }
  });

  it('ends with its client unless it was detached', async () => {
    const client = await suite.connect();
    const directory = suite.directory();
    const process = await client.spawn(`sleep 0.5; touch ${directory}/alive`);
    await client.close();
    expect(process.state).not.toBe('running');
    await expect(client.run('true')).rejects.toMatchObject({ code: 'closed' });
    await new Promise((resolve) => setTimeout(resolve, 800));
    const other = await suite.connect();
    expect(await other.fs.exists(`${directory}/alive`)).toBe(false);
  });
});
