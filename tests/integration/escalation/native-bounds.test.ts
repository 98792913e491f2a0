/** What a sandboxed process may bring along or have followed, and not more: descriptors, links, folders, interpreters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShellChoice } from '@codex/escalation';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Harness, shellOf } from './native-harness.js';
import { pythonIn, wire } from './wire-script.js';

const harness = new Harness();
const folder = mkdtempSync(join(tmpdir(), 'escalation-bounds-'));
const python = pythonIn(folder);
let shell: ShellChoice;
beforeAll(async () => {
  shell = await shellOf('preload');
  writeFileSync(join(folder, 'wire.py'), wire);
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

it('closes whatever descriptors come beyond those that belong to an announcement, a request or a handover', async () => {
  const body = [
    'def is_closed(send):', // by everybody else, or the end of the pipe would not come
    '  read, write = os.pipe(); kept = send(write); os.close(write)',
    '  assert os.read(read, 1) == b""; os.close(read)',
    '  return kept',
    'rights = lambda fd, count: [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd] * count))]',
    'for count in [2, 16, 17, 253]: is_closed(lambda fd: shells.sendmsg([b"x"], rights(fd, count)))',
    'one = stream(); is_closed(lambda fd: one.sendmsg([request("/bin/true")], rights(fd, 17))); print(answer(one))',
    'def escalated():',
    '  one = stream(); one.sendall(request("/usr/bin/sleep", argv=["sleep", "1000"])); answer(one)',
    '  return one',
    'for targets, count in [(17, 17), (16, 17), (17, 16), (16, 253)]:',
    '  one = escalated(); is_closed(lambda fd: one.sendmsg([frame({"fds": list(range(targets))})], rights(fd, count))); print(answer(one))',
    'for text in [b"{}", b\'{"fds":[],"fds":[]}\']:',
    '  one = escalated(); one.sendall(frame(text)); print(answer(one))',
    'good = stream(); good.sendall(request("/bin/true")); print(answer(good))',
  ].join('\n');
  const result = await harness.run({
    shell,
    command: python(body),
    cwd: folder,
    decide: ({ argv }) => (argv[0] === 'sleep' ? { action: 'escalate', environment: {} } : { action: 'run' }),
  });
  expect(result.output).toBe(`{'action': 'Run'}\n${"{'exit_code': 126}\n".repeat(6)}{'action': 'Run'}\n`);
});

it('waits for descriptors a while, and not as long as something comes', async () => {
  const body = [
    'one = stream(); one.sendall(request("/usr/bin/sleep", argv=["sleep", "1000"])); answer(one)',
    'one.sendall(struct.pack("<I", 4000))',
    'begun = time.monotonic()',
    'while time.monotonic() - begun < 10:',
    '  try: one.sendall(b" ")',
    '  except OSError: break',
    '  time.sleep(0.1)',
    'print(time.monotonic() - begun < 9)',
  ].join('\n');
  const result = await harness.run({
    shell,
    command: python(body),
    cwd: folder,
    decide: ({ argv }) => (argv[0] === 'sleep' ? { action: 'escalate', environment: {} } : { action: 'run' }),
  });
  expect(result.output).toBe('True\n');
});

it('opens nothing behind more links, folders or interpreters than a kernel follows, and goes on', async () => {
  const body = [
    `os.chdir("${folder}")`,
    'os.symlink("loop", "loop")',
    'deep = "/".join(["deep"] * 140); os.makedirs(deep); open(deep + "/program", "w").close()',
    'for i in range(8):',
    '  with open("script%d" % i, "w") as script: script.write("#!%s/script%d\\n" % (os.getcwd(), i + 1))',
    '  os.chmod("script%d" % i, 0o755)',
    'open("script8", "w").close()',
    '# As many links as a kernel follows, over more folders than are noted, by their number and by their names.',
    'for name, turns in [("f", 6), ("f" * 200, 3)]:',
    '  os.mkdir(name)',
    '  for i in range(40): os.symlink((name + "/../") * turns + "%s-%d" % (name, i + 1), "%s-%d" % (name, i))',
    'for name in ["loop", deep + "/program", "script0", "f-0", "f" * 200 + "-0"]:',
    '  one = stream(); one.sendall(request(os.getcwd() + "/" + name)); print(answer(one))',
  ].join('\n');
  const result = await harness.run({ shell, command: python(body), cwd: folder });
  expect(result.output).toBe("{'action': 'Run'}\n".repeat(5));
  expect(result.requests.slice(-5).map(({ program }) => program)).toEqual(
    Array.from({ length: 5 }, () => ({ state: 'unopened', reason: 'depth' })),
  );
});
