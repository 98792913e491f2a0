// Many at once, silent ones, broken ones, giant ones: each costs its sender, and nobody else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShellChoice } from '@codex/escalation';
import { readOnly } from '@codex/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Harness, shellOf } from './native-harness.js';
import { pythonIn, wire } from './wire-script.js';

const harness = new Harness();
const folder = mkdtempSync(join(tmpdir(), 'escalation-load-'));
let shell: ShellChoice;
beforeAll(async () => {
  shell = await shellOf('preload');
  writeFileSync(join(folder, 'wire.py'), wire);
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

const python = pythonIn(folder);

it('answers 200 execs at once, inside and escalated, without one failure', async () => {
  const command = 'for i in {1..200}; do { /bin/true && sh -c : && echo ok; } & done; wait';
  const result = await harness.run({
    shell,
    command,
    policy: readOnly(),
    decide: ({ argv }) => (argv[0] === 'sh' ? { action: 'escalate', environment: {} } : { action: 'run' }),
  });
  expect(result.output).toBe('ok\n'.repeat(200));
});

it('does not wait for thousands of silent streams, and drops the oldest', async () => {
  const body =
    'held = [stream() for _ in range(3000)]\nlast = stream()\nlast.sendall(request("/bin/true"))\nprint(answer(last), held[0].recv(1))';
  const result = await harness.run({ shell, command: `ulimit -n 4096; ${python(body)}`, cwd: folder });
  expect(result.output).toBe("{'action': 'Run'} b''\n");
  expect(
    result.events.filter((event) => event.type === 'refused').every(({ reason }) => reason === 'too-many'),
  ).toBe(true);
});

it('drops a stream that does not make its request in time', async () => {
  const broker = await harness.newBroker({ firstFrameMs: 50 });
  const result = await harness.run(
    { shell, command: python('slow = stream()\nslow.send(b"\\1")\nprint(receive(slow, 1))'), cwd: folder },
    broker,
  );
  expect(result.output).toBe("b''\n");
  expect(result.events).toContainEqual({ type: 'refused', reason: 'too-slow' });
});

it('refuses giant frames by their header, and many large ones by what they hold', async () => {
  const body = [
    'big = stream(); big.sendall(struct.pack("<I", 8 * 1024 * 1024 + 1)); print(receive(big, 1))',
    'part = b"x" * (7 * 1024 * 1024)',
    'def fill():',
    '  one = stream()',
    '  try:',
    '    one.sendall(struct.pack("<I", 8 * 1024 * 1024) + part)',
    '  except OSError: pass',
    '  return one',
    'held = [fill() for _ in range(12)]',
    'last = stream(); last.sendall(request("/bin/true")); print(answer(last))',
  ].join('\n');
  const result = await harness.run({ shell, command: python(body), cwd: folder });
  expect(result.output).toBe("b''\n{'action': 'Run'}\n");
  const refused = result.events.filter((event) => event.type === 'refused' && event.reason === 'too-large');
  // The first by its header and not by its time, some of the others by the 64 MiB that all may hold.
  expect(result.events.find(({ type }) => type === 'refused')).toMatchObject({ reason: 'too-large' });
  expect(refused.length).toBeGreaterThan(1);
});

it('denies what has more words or variables than a kernel executes, and goes on', async () => {
  const body = [
    'for many in [{"argv": ["true"] + [""] * 300000}, {"env": {"N%d" % i: "" for i in range(20000)}}, {"argv": ["true", "x" * 7000000]}]:',
    '  one = stream(); one.sendall(request("/bin/true", **many)); print(answer(one)["action"])',
    'one = stream(); one.sendall(request("/bin/true", argv=["true"] + [""] * 200000)); print(answer(one)["action"])',
  ].join('\n');
  const result = await harness.run({ shell, command: python(body), cwd: folder });
  const denied = "{'Deny': {'reason': 'it has too many words or variables to be judged'}}\n";
  expect(result.output).toBe(`${denied.repeat(3)}Run\n`);
  expect(
    result.events.filter((event) => event.type === 'refused' && event.reason === 'too-large'),
  ).toHaveLength(3);
});

it('takes a request as large as a kernel executes', async () => {
  const body =
    'one = stream(); one.sendall(request("/bin/true", env={"A": "x" * (6 * 1024 * 1000)})); print(answer(one))';
  const result = await harness.run({ shell, command: python(body), cwd: folder });
  expect(result.output).toBe("{'action': 'Run'}\n");
  expect(result.requests.at(-1)?.environment.get('A')).toHaveLength(6 * 1024 * 1000);
});

it('closes what is no announcement, no stream or no request, and goes on', async () => {
  const body = [
    'announce([])',
    'announce([0, 1])',
    'announce([os.open("/dev/null", os.O_RDWR)])',
    'a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); announce([b.fileno()])',
    'bad = [b"", b"[]", b"{", b"null", b"{}", b\'{"file":"a\\\\u0000","argv":[],"workdir":"/","env":{}}\',',
    '  b\'{"file":"a","file":"b","argv":[],"workdir":"/","env":{}}\', b\'{"file":"","argv":[],"workdir":"/","env":{}}\',',
    '  b\'{"file":"a","argv":[],"workdir":"x","env":{}}\', b\'{"file":"\\xff","argv":[],"workdir":"/","env":{}}\',',
    '  b\'{"file":"a","argv":[1],"workdir":"/","env":{}}\', b\'{"file":"\\\\ud800","argv":[],"workdir":"/","env":{}}\', b"[" * 100000,',
    '  b\'{"file":"\\\\udc00\\\\udc00","argv":[],"workdir":"/","env":{}}\', b\'{"file":"\\\\ud800aadc00","argv":[],"workdir":"/","env":{}}\',',
    '  b\'{"file":"a\\x00","argv":[],"workdir":"/","env":{}}\', b\'{"file":"a\\n","argv":[],"workdir":"/","env":{}}\',',
    '  b\'{"file":"a","argv":[],"workdir":"/","env":{},"x":\' + b"[" * 2000000 + b"]" * 2000000 + b"}"]',
    'for each in bad:',
    '  one = stream(); one.sendall(frame(each)); assert receive(one, 1) == b"", each',
    'members = {"file": "\\"/bin/true\\"", "argv": "[]", "workdir": "\\"/\\"", "env": "{}"}',
    'text = lambda names: ("{" + ",".join("\\"%s\\":%s" % (name, members.get(name, "true")) for name in names) + "}").encode()',
    'for twice in members:',
    '  for missing in members:', // none when it is the same: five members then
    '    one = stream(); one.sendall(frame(text([*(each for each in members if each != missing or each == twice), twice])))',
    '    assert receive(one, 1) == b"", (twice, missing)',
    'for missing in members:',
    '  one = stream(); one.sendall(frame(text([each for each in members if each != missing]))); assert receive(one, 1) == b"", missing',
    'some, more = ("[" + ",".join(["\\"word\\""] * count) + "]" for count in [520, 600])',
    'grown = \'{"file":"a","argv":\' + some + \',"argv":\' + more + \',"workdir":"/","env":{}}\'',
    'one = stream(); one.sendall(frame(grown.encode())); assert receive(one, 1) == b"", grown',
    'for twice in ["startup", "lossy"]:',
    '  one = stream(); one.sendall(frame(text([*members, twice, twice]))); assert receive(one, 1) == b"", twice',
    'pairs = [socket.socketpair() for _ in range(2)]; announce([theirs.fileno() for _, theirs in pairs])',
    'for _, theirs in pairs: theirs.close()',
    'for ours, _ in pairs:',
    '  try: ours.sendall(request("/bin/true"))',
    '  except BrokenPipeError: pass',
    '  assert answer(ours) is None',
    'good = stream(); good.sendall(request("/bin/true")); print(answer(good))',
  ].join('\n');
  const result = await harness.run({ shell, command: python(body), cwd: folder });
  expect(result.output).toBe("{'action': 'Run'}\n");
  expect(result.events.filter(({ type }) => type === 'refused').length).toBe(46);
});

it('takes one request of a stream: a second one voids the first', async () => {
  const body =
    'one = stream(); one.sendall(request("/usr/bin/id") + request("/usr/bin/touch")); print(answer(one))';
  const result = await harness.run({
    shell,
    command: python(body),
    cwd: folder,
    decide: ({ file }) =>
      file.endsWith('python3') ? { action: 'run' } : { action: 'escalate', environment: {} },
  });
  expect(result.output).toBe('None\n');
  expect(result.requests.map(({ file }) => file)).not.toContain('/usr/bin/touch');
  expect(result.events).toContainEqual(expect.objectContaining({ type: 'abandoned' }));
});

it.each([false, true])(
  'never escalates text that stands for other bytes, whoever asks (%s)',
  async (isAsCalled) => {
    const body = 'one = stream(); one.sendall(request("/usr/bin/id", lossy=True)); print(answer(one))';
    const result = await harness.run({
      shell,
      command: python(body),
      cwd: folder,
      decide: ({ isLossy }) =>
        isLossy ? { action: 'escalate', environment: {}, isAsCalled } : { action: 'run' },
    });
    expect(result.output).toBe("{'action': 'Run'}\n");
  },
);

it('refuses a handover that does not fit what came with it, and frames that are no signals', async () => {
  const body = [
    'def escalated(handover, fds):',
    '  one = stream(); one.sendall(request("/usr/bin/sleep", argv=["sleep", "1000"])); assert answer(one) == {"action": "Escalate"}',
    '  one.sendmsg([frame(handover)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))])',
    '  return one',
    'for handover in [{"fds": [0]}, {"fds": [0, 0]}, {"fds": [-1, 1]}, {"fds": [0, 99999999]}, {"fds": "x"}]:',
    '  print(answer(escalated(handover, [0, 1])))',
    'one = escalated({"fds": [0, 1]}, [0, 1]); one.sendall(frame({"signal": 15})); print(answer(one))',
    'one = escalated({"fds": [0, 1]}, [0, 1]); one.sendall(frame({"file": "/bin/true"})); print(receive(one, 1))',
    'one = escalated({"fds": [0, 1]}, [0, 1]); one.sendall(frame(b"x" * 5000)); print(receive(one, 1))',
    '# What comes with a signal is closed.',
    'one = escalated({"fds": [0, 1]}, [0, 1]); read, write = os.pipe()',
    'one.sendmsg([frame({"signal": 28})], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [write]))])',
    'os.close(write); print(os.read(read, 1)); one.sendall(frame({"signal": 15})); print(answer(one))',
  ].join('\n');
  const result = await harness.run({
    shell,
    command: python(body),
    cwd: folder,
    decide: ({ argv }) => (argv[0] === 'sleep' ? { action: 'escalate', environment: {} } : { action: 'run' }),
  });
  expect(result.output).toBe(
    `${"{'exit_code': 126}\n".repeat(5)}{'exit_code': 143}\nb''\nb''\nb''\n{'exit_code': 143}\n`,
  );
});

it('ends what was escalated when its stream is closed, although whoever asked lives on', async () => {
  const mark = `1000.${process.pid}`;
  const body = [
    'import subprocess',
    `one = stream(); one.sendall(request("/usr/bin/sleep", argv=["sleep", "${mark}"])); assert answer(one) == {"action": "Escalate"}`,
    'one.sendmsg([frame({"fds": [0, 1]})], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1]))])',
    `running = lambda: subprocess.run(["pgrep", "-fx", "sleep ${mark}"], capture_output=True).returncode == 0`,
    'while not running(): time.sleep(0.01)',
    'one.close()',
    'while running(): time.sleep(0.01)',
    'print("gone")',
  ].join('\n');
  const result = await harness.run({
    shell,
    command: python(body),
    cwd: folder,
    decide: ({ argv }) => (argv[0] === 'sleep' ? { action: 'escalate', environment: {} } : { action: 'run' }),
  });
  expect(result.output).toBe('gone\n');
});

it('holds no more at a time than its limit, and then goes on with the next', async () => {
  const broker = await harness.newBroker({ maxSessions: 4 });
  let open = 0;
  let most = 0;
  const result = await harness.run(
    {
      shell,
      command: 'for i in {1..20}; do /bin/true && echo ok & done; wait',
      decide: async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 10));
        open -= 1;
        return { action: 'run' };
      },
    },
    broker,
  );
  expect(result.output).toBe('ok\n'.repeat(20));
  expect(most).toBeLessThanOrEqual(4);
});

it.each(['patched', 'preload'] as const)(
  'waits where the kernel lets this user send no more descriptors for now (%s)',
  async (kind) => {
    // More are on their way than the limit of whoever asks next; another process holds them for a moment.
    const hold = [
      'import array, os, resource, socket, time',
      'resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)', // others of this user send some, too
      'ours, theirs = socket.socketpair()',
      'files = array.array("i", [os.open("/dev/null", 0) for _ in range(60)])',
      'for _ in range(3): ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])',
      'os.write(1, b"held\\n"); os.close(1)',
      'time.sleep(0.5)',
    ].join('\n');
    const command = `ulimit -S -n 100; python3 -c '${hold}' | { read line; echo $line; /bin/true; echo $?; sh -c :; echo $?; }`;
    const result = await harness.run({
      shell: await shellOf(kind),
      command,
      policy: readOnly(),
      decide: ({ argv }) => (argv[0] === 'sh' ? { action: 'escalate', environment: {} } : { action: 'run' }),
    });
    expect(result.output).toBe('held\n0\n0\n');
  },
);
