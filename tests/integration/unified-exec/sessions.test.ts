// Commands that a model comes back to: windows, order, room for 64, and their end.
import { writeFileSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { expect, it, onTestFinished } from 'vitest';
import { cuttingProxy } from '../client/support/cutting-proxy.js';
import { describeOnEveryTarget } from '../client/support/targets.js';
import { bodyOf, outside, processesWith, sessionIn, watched } from './support/watched.js';

describeOnEveryTarget('a session', (suite) => {
  it('tells everything from its first byte, each call under the id of the first', async () => {
    await using watch = watched(await suite.connect(), { profile: 'codex' });
    const cmd = 'echo EARLY; read x; echo "<$x>"; sleep 0.3; echo LATE; exit 7';
    const started = await watch.tool.execCommand({ cmd, tty: true, yield_time_ms: 300 }, { callId: 'start' });
    const session_id = sessionIn(started.text);
    expect(watch.tool.sessions()).toMatchObject([{ sessionId: session_id, callId: 'start', tty: true }]);
    const ended = await watch.tool.writeStdin(
      { session_id, chars: 'hi\n', yield_time_ms: 5_000 },
      { callId: 'write' },
    );
    // Where the first call ends lies in its window.
    expect(bodyOf(started.text) + bodyOf(ended.text)).toBe('EARLY\r\nhi\r\n<hi>\r\nLATE\r\n');
    expect(ended.structured.exit_code).toBe(7);
    expect(await watch.types()).toEqual(['attempt 1 out started', 'begin', 'interaction', 'end']);
    expect(watch.told('start')).toBe('EARLY\r\nhi\r\n<hi>\r\nLATE\r\n');
    const end = watch.events.at(-1);
    if (end?.type !== 'end') throw new Error('no end');
    expect(end.result.output.text).toBe('EARLY\r\nhi\r\n<hi>\r\nLATE\r\n');
  });

  it('gives nothing twice to calls at the same time, and works on two sessions side by side', async () => {
    await using watch = watched(await suite.connect(), { profile: { minPollMs: 300 } });
    const cmd = 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done';
    const started = await watch.tool.execCommand({ cmd, yield_time_ms: 250 });
    const session_id = sessionIn(started.text);
    const other = await watch.tool.execCommand({ cmd: 'sleep 2; echo aside', yield_time_ms: 250 });
    const aside = watch.tool.writeStdin({ session_id: sessionIn(other.text), yield_time_ms: 30_000 });
    const outputs = [started];
    while (outputs.at(-1)?.structured.session_id !== undefined) {
      // While one call waits for the other session, two at a time look at this one, one behind the other.
      const poll = () => watch.tool.writeStdin({ session_id, yield_time_ms: 300 });
      outputs.push(...(await Promise.all([poll(), poll()])));
    }
    expect(outputs.map(({ structured }) => structured.output).join('')).toBe('1\n2\n3\n4\n5\n6\n');
    expect((await aside).structured).toMatchObject({ exit_code: 0, output: 'aside\n' });
  });

  it('has its clock stopped while somebody holds the pause', async () => {
    await using watch = watched(await suite.connect(), { profile: 'codex' });
    const hold = watch.tool.pause.hold();
    const call = watch.tool.execCommand({ cmd: 'sleep 1; echo after', yield_time_ms: 250 });
    setTimeout(() => hold[Symbol.dispose](), 1_200);
    expect(bodyOf((await call).text)).toBe('after\n');
    expect(watch.tool.sessions()).toEqual([]);
  });

  it('has its whole time left when the pause ends, also of a call that began in it', async () => {
    await using watch = watched(await suite.connect(), { allowLogin: false });
    const hold = watch.tool.pause.hold();
    const call = watch.tool.execCommand({ cmd: 'read x', tty: true, yield_time_ms: 600 });
    await new Promise((resolve) => setTimeout(resolve, 800));
    const released = performance.now();
    hold[Symbol.dispose]();
    await call;
    // Of 600 ms, 150 were spent while the clock stood still.
    expect(performance.now() - released).toBeGreaterThan(550);
  });

  it('is stopped when it takes longer than the application allows, and the model is told', async () => {
    await using watch = watched(await suite.connect(), { allowLogin: false, timeoutMs: 700 });
    const started = await watch.tool.execCommand({ cmd: 'echo up; exec sleep 60', yield_time_ms: 300 });
    const ended = await watch.tool.writeStdin({ session_id: sessionIn(started.text), yield_time_ms: 20_000 });
    expect(ended.structured.exit_code).toBe(130);
    expect(ended.text).toContain(
      '\nNote: the command was stopped after 0.7 seconds, the most that one may take.\n',
    );
  });

  it('that ended between calls is told with the next result, once', async () => {
    const folder = outside();
    onTestFinished(() => folder.remove());
    await using watch = watched(await suite.connect(), { allowLogin: false, cwd: folder.path });
    const start = (cmd: string) => watch.tool.execCommand({ cmd, yield_time_ms: 250 });
    const first = sessionIn((await start('until [ -e go ]; do sleep 0.05; done; echo built; exit 3')).text);
    const second = sessionIn((await start('sleep 60')).text);
    writeFileSync(`${folder.path}/go`, '');
    await expect.poll(() => watch.tool.sessions()).toHaveLength(1);
    const note = `ended meanwhile: session ${first}. write_stdin with empty chars shows the rest of its output.`;
    // On a busy machine there may be another one: that the output of `true` is still open.
    expect((await start('true')).structured.notes).toContain(note);
    expect((await start('true')).structured.notes ?? []).not.toContain(note);
    const seen = await watch.tool.writeStdin({ session_id: first });
    expect(seen.structured).toMatchObject({ exit_code: 3, output: 'built\n' });
    expect(await watch.tool.terminate(second)).toBe(true);
  });

  it('has its end told behind the interaction that ended it', async () => {
    await using watch = watched(await suite.connect(), { profile: 'codex' });
    // The child holds the output, so that the call still waits when every other call sees the command as over.
    const cmd = "setsid sleep 3 & trap 'exit 7' INT; echo up; while :; do sleep 0.05; done";
    const started = await watch.tool.execCommand({ cmd, yield_time_ms: 500 });
    const hold = watch.tool.pause.hold();
    setTimeout(() => hold[Symbol.dispose](), 700);
    const ended = await watch.tool.writeStdin({ session_id: sessionIn(started.text), chars: '\u0003' });
    expect(ended.structured.exit_code).toBe(7);
    expect((await watch.types()).slice(-3)).toEqual(['begin', 'interaction', 'end']);
  });

  it('outlives the call that is aborted', async () => {
    await using watch = watched(await suite.connect());
    const signal = AbortSignal.timeout(400);
    const before = Date.now();
    const output = await watch.tool.execCommand({ cmd: 'echo up; sleep 30' }, { signal });
    expect(Date.now() - before).toBeLessThan(5_000);
    expect(bodyOf(output.text)).toBe('up\n');
    expect(watch.tool.sessions().map(({ sessionId }) => sessionId)).toEqual([sessionIn(output.text)]);
  });

  it('is not written to by a call that was given up before its turn', async () => {
    await using watch = watched(await suite.connect());
    const cmd = 'while read -r line; do echo "<$line>"; done';
    const started = await watch.tool.execCommand({ cmd, tty: true, yield_time_ms: 250 });
    const session_id = sessionIn(started.text);
    const first = watch.tool.writeStdin({ session_id, chars: 'one\n', yield_time_ms: 700 });
    const stop = new AbortController();
    const given = watch.tool.writeStdin({ session_id, chars: 'two\n' }, { signal: stop.signal });
    const third = watch.tool.writeStdin({ session_id, chars: 'three\n', yield_time_ms: 400 });
    stop.abort();
    // It does not wait for its turn to say so.
    const before = Date.now();
    expect(await given).toMatchObject({ isError: true, error: { code: 'tool.aborted' } });
    expect(Date.now() - before).toBeLessThan(600);
    expect((await first).structured.output).toContain('<one>');
    const output = (await third).structured.output;
    expect(output).toContain('<three>');
    expect(output).not.toContain('two');
  });

  it('that does not read lets a call go that is given up', async () => {
    await using watch = watched(await suite.connect());
    const started = await watch.tool.execCommand({ cmd: 'sleep 60', tty: true, yield_time_ms: 250 });
    const before = Date.now();
    const output = await watch.tool.writeStdin(
      { session_id: sessionIn(started.text), chars: 'x'.repeat(1_000_000), yield_time_ms: 30_000 },
      { signal: AbortSignal.timeout(300) },
    );
    expect(output.structured.session_id).toBe(sessionIn(started.text));
    expect(Date.now() - before).toBeLessThan(10_000);
  });

  it('is ended while its first call still waits, which reports it', async () => {
    await using watch = watched(await suite.connect());
    const call = watch.tool.execCommand({ cmd: 'echo up; sleep 60', yield_time_ms: 30_000 });
    await expect.poll(() => watch.tool.sessions()).toHaveLength(1);
    expect(await watch.tool.terminateAll()).toBe(1);
    expect((await call).structured).toMatchObject({ exit_code: 137 });
    expect(watch.tool.sessions()).toEqual([]);
    expect(await watch.tool.terminateAll()).toBe(0);
  });

  it('is reported as ended by the poll that waits when somebody terminates it', async () => {
    await using watch = watched(await suite.connect());
    const started = await watch.tool.execCommand({ cmd: 'sleep 60', yield_time_ms: 250 });
    const session_id = sessionIn(started.text);
    const poll = watch.tool.writeStdin({ session_id });
    setTimeout(() => void watch.tool.terminate(session_id), 200);
    expect((await poll).structured.exit_code).toBe(137);
    expect(await watch.tool.terminate(session_id)).toBe(false);
  });

  it('makes room for others when there are too many, and says so', async () => {
    const mark = `sleep 3${Date.now()}`;
    const evicted: number[] = [];
    await using watch = watched(await suite.connect(), {
      profile: { maxProcesses: 4, protectRecent: 2, earlyExitMs: 20 },
      onSessionEvicted: ({ sessionId }) => evicted.push(sessionId),
    });
    const start = async (cmd: string) => {
      const { text } = await watch.tool.execCommand({ cmd, yield_time_ms: 250 });
      return { id: sessionIn(text), text };
    };
    const first = await start(`exec ${mark}`);
    const ending = await start('sleep 0.4');
    const third = await start(`exec ${mark}`);
    await start(`exec ${mark}`);
    await new Promise((resolve) => setTimeout(resolve, 400));
    // One that has exited goes first, though it was used after the first.
    await start(`exec ${mark}`);
    expect(evicted).toEqual([ending.id]);
    const sixth = await start(`exec ${mark}`);
    expect(evicted).toEqual([ending.id, first.id]);
    expect(sixth.text).toContain(`\nNote: session ${first.id} was ended to make room for this one.\n`);
    expect(watch.tool.sessions().map(({ sessionId }) => sessionId)).toContain(third.id);
    const gone = await watch.tool.writeStdin({ session_id: first.id });
    expect(gone.text).toContain('was ended to make room for others');
    expect((await watch.types()).filter((type) => type === 'sessionEvicted')).toHaveLength(2);
    await expect.poll(() => processesWith(mark)).toBe(4);
    expect(await watch.tool.terminateAll()).toBe(4);
    expect(processesWith(mark)).toBe(0);
  });

  it('is one of 64: the 65th ends the least recently used that nobody needed lately', async () => {
    const mark = `sleep 4${Date.now()}`;
    await using watch = watched(await suite.connect(), { allowLogin: false, profile: { minYieldMs: 1 } });
    const start = async (cmd: string): Promise<number> =>
      Number((await watch.tool.execCommand({ cmd, yield_time_ms: 1 })).structured.session_id);
    const ids: number[] = [];
    for (let count = 0; count < 64; count++) ids.push(await start(`exec ${mark}`));
    expect(watch.tool.sessions()).toHaveLength(64);
    const [oldest = 0, second = 0] = ids;
    await watch.tool.writeStdin({ session_id: oldest, chars: '\u0003', yield_time_ms: 5_000 });
    const used = await start(`exec ${mark}`);
    const next = await watch.tool.execCommand({ cmd: `exec ${mark}`, yield_time_ms: 1 });
    expect(next.structured.notes).toEqual([`session ${second} was ended to make room for this one.`]);
    const left = watch.tool.sessions().map(({ sessionId }) => sessionId);
    expect(left).toHaveLength(64);
    expect(left).toContain(used);
    expect(left).not.toContain(second);
    await expect.poll(() => processesWith(mark)).toBe(64);
  });

  it('lets a call go that is given up while the server is out of reach', async () => {
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address, { reconnect: { maxElapsedMs: 2_000 } });
    await using watch = watched(client);
    try {
      await watch.tool.execCommand({ cmd: 'exec sleep 60', yield_time_ms: 250 });
      proxy.refuse();
      const before = Date.now();
      const given = await watch.tool.execCommand({ cmd: 'true' }, { signal: AbortSignal.timeout(300) });
      expect(given.error?.code).toBe('tool.aborted');
      expect(Date.now() - before).toBeLessThan(1_500);
    } finally {
      await client.close();
      await proxy.close();
    }
  });

  it('leaves nothing in the background when the tool is disposed of', async () => {
    const mark = `sleep 3${Date.now()}`;
    const client = await suite.connect();
    const others = await client.run(['sh', '-c', `exec ${mark}9 > /dev/null 2>&1 & echo`]);
    expect(others.ok).toBe(true);
    const watch = watched(client);
    await watch.tool.execCommand({ cmd: `(setsid ${mark} > /dev/null 2>&1 &) ; exit 0` });
    await watch.tool.execCommand({ cmd: `${mark} & exit 0` });
    expect(processesWith(mark)).toBe(3);
    await watch[Symbol.asyncDispose]();
    // What was not started by the tool is none of its business.
    expect(processesWith(mark)).toBe(1);
    await client.close();
  });

  it('leaves no process when the tool is disposed of, also of calls on their way', async () => {
    const mark = `sleep 2${Date.now()}`;
    const watch = watched(await suite.connect());
    await watch.tool.execCommand({ cmd: `exec ${mark}`, yield_time_ms: 250 });
    await watch.tool.execCommand({ cmd: `exec ${mark}`, tty: true, yield_time_ms: 250 });
    const calls = [1, 2, 3].map(() => watch.tool.execCommand({ cmd: `(${mark} & ${mark})` }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(processesWith(mark)).toBeGreaterThanOrEqual(2);
    await watch[Symbol.asyncDispose]();
    await Promise.all(calls);
    expect(processesWith(mark)).toBe(0);
    expect(watch.tool.sessions()).toEqual([]);
    expect(await watch.tool.execCommand({ cmd: 'true' })).toMatchObject({ error: { code: 'tool.disposed' } });
    const told = await watch.types();
    expect(told.filter((type) => type === 'begin').length).toBe(told.filter((type) => type === 'end').length);
  });
});
