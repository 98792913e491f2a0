// The process that forks supervisors: what happens to launches and commands when something happens to it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childrenOf, infoOf, isAlive, nurseriesOf, supervisorsOf } from './support/launcher-processes.js';
import { createLauncher, type Launcher } from './support/launcher-under-test.js';
import {
  collect,
  openPipe,
  PATH,
  processesWith,
  run,
  specOf,
  uniqueSleep,
  until,
} from './support/run-command.js';

/** Supervisors and the nursery do not let other users look at their descriptors. */
const isRoot = process.getuid?.() === 0;

/** Of one that waits: orders, statuses, the socket, two pipes for a command's output, and what it hears of children by. */
const WAITING = '0 1 2 3 4 5 6 7 8 9';

/** A launcher that has launched once; `nursery` is its own. */
async function warmLauncher(): Promise<{ launcher: Launcher; nursery: number }> {
  const others = new Set(nurseriesOf(process.pid));
  const launcher = createLauncher();
  onTestFinished(() => launcher.close());
  await run(launcher, ['true']);
  const [nursery = 0] = nurseriesOf(process.pid).filter((pid) => !others.has(pid));
  expect(nursery).toBeGreaterThan(0);
  return { launcher, nursery };
}

const parentOfCommand = async (launcher: Launcher): Promise<number> =>
  Number((await run(launcher, ['sh', '-c', 'echo $PPID'])).stdout);

/** Parent of the supervisor, while its command runs. */
async function grandparent(launcher: Launcher): Promise<number> {
  const script = `sed 's/.*) //' /proc/$PPID/stat | cut -d' ' -f2`;
  return Number((await run(launcher, ['sh', '-c', script])).stdout);
}

/** The supervisors that wait, when the last one that was used has left and those that were asked for are born and opened. */
async function waitingBelow(nursery: number): Promise<number[]> {
  const waits = ({ pid }: { pid: number }): boolean => !isRoot || descriptorsOf(pid) === WAITING;
  await new Promise((resolve) => setTimeout(resolve, 100));
  await until(() => childrenOf(nursery).length > 0 && childrenOf(nursery).every(waits), 'all wait');
  return childrenOf(nursery).map(({ pid }) => pid);
}

async function die(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'it is gone');
}

describe('the nursery', () => {
  it('is started once and forks every supervisor on pipes', async () => {
    const { launcher, nursery } = await warmLauncher();
    for (let round = 0; round < 5; round += 1) expect(await grandparent(launcher)).toBe(nursery);
    launcher.close();
    await until(() => !isAlive(nursery), 'it ends with the launcher');
  });

  it('serves a hundred launches at once, and only a few supervisors stay', async () => {
    const { launcher, nursery } = await warmLauncher();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => run(launcher, ['sh', '-c', `echo ${index}; exit ${index}`])),
    );
    outcomes.forEach(({ stdout, status }, index) => {
      expect([stdout, status]).toEqual([`${index}\n`, { code: index, signal: null }]);
    });
    await until(() => childrenOf(nursery).length <= 4, 'the others are gone');
    expect(childrenOf(nursery).filter(({ state }) => state === 'Z')).toEqual([]);
    expect(await grandparent(launcher)).toBe(nursery);
  });

  it.runIf(isRoot)(
    'keeps no descriptor and no zombie over many launches, and neither do its supervisors',
    async () => {
      const { launcher, nursery } = await warmLauncher();
      const before = readdirSync('/proc/self/fd').length;
      for (let round = 0; round < 200; round += 1) {
        if (round % 5 === 4) await launcher.launch(specOf(['no-such-program'])).catch(() => {});
        else await run(launcher, ['true'], { io: openPipe });
      }
      await until(() => childrenOf(nursery).length <= 4, 'the others are gone');
      expect(descriptorsOf(nursery)).toBe('0 1 2 3 4');
      await until(
        () => childrenOf(nursery).every(({ pid, state }) => state === 'S' && descriptorsOf(pid) === WAITING),
        'each one that waits has what it waits with, only',
      );
      // Four for each supervisor that waits, of which there may have been none before.
      await until(() => readdirSync('/proc/self/fd').length <= before + 16, 'no descriptor is left');
    },
  );

  it.runIf(isRoot)('gives a command none of its descriptors, and a supervisor none of another', async () => {
    const { launcher } = await warmLauncher();
    const launched = await Promise.all(
      Array.from({ length: 6 }, () => launcher.launch(specOf(['sleep', '60'], { io: openPipe }))),
    );
    onTestFinished(async () => {
      for (const each of launched) each.killTree();
      await Promise.all(launched.map((each) => each.treeGone));
    });
    const seen = new Set<string>();
    for (const { pid } of launched) {
      await until(() => descriptorsOf(pid) === '0 1 2', 'it is executed'); // which closes the others
      const supervisor = infoOf(pid)?.parent ?? 0;
      await until(() => readdirSync(`/proc/${supervisor}/fd`).length === 8, 'the pipes are handed over');
      expect(infoOf(supervisor)?.parent).toBeGreaterThan(1);
      expect(sessionOf(supervisor)).toBe(supervisor);
      seen.add(String(supervisor));
    }
    expect(seen.size).toBe(6);
  });

  it.runIf(isRoot)('shows nothing of a launch record', async () => {
    const { launcher } = await warmLauncher();
    const secret = `secret-${process.pid}-${'z'.repeat(30)}`;
    const launched = await launcher.launch(specOf(['sleep', '60'], { env: { PATH, SECRET: secret } }));
    const supervisor = infoOf(launched.pid)?.parent ?? 0;
    for (const name of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${supervisor}/${name}`, 'latin1')).not.toContain(secret);
    expect(readFileSync(`/proc/${supervisor}/cmdline`, 'latin1')).toBe('codex-launcher\0--nursery\0');
    launched.killTree();
    await launched.treeGone;
  });

  it('takes a record of megabytes, and orders after it', async () => {
    const { launcher } = await warmLauncher();
    const data = Buffer.alloc(8 << 20, 'x');
    const launched = await launcher.launch(
      specOf(['sh', '-c', 'wc -c <&5; sleep 60'], { inheritFds: [{ data, as: 5 }] }),
    );
    const output = collect(launched);
    await until(() => output.text() === `${data.length}\n`, 'it was read');
    launched.killTree();
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await launched.treeGone;
  });
});

describe('a nursery that was killed', () => {
  it('is replaced, and running commands do not notice', async () => {
    const { launcher, nursery } = await warmLauncher();
    const token = uniqueSleep();
    const running = await launcher.launch(specOf(['sh', '-c', `sleep ${token}; :`]));
    const asking = await launcher.launch(
      specOf(['sh', '-c', 'read line; echo $line; exit 5'], { io: openPipe }),
    );
    const output = collect(asking);
    await die(nursery);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await asking.input?.write(Buffer.from('still here\n'));
    expect(await asking.exited).toEqual({ code: 5, signal: null });
    await asking.treeGone;
    await output.ended;
    expect(output.text()).toBe('still here\n');
    for (let round = 0; round < 8; round += 1)
      expect((await run(launcher, ['echo', 'fine'])).stdout).toBe('fine\n');
    const next = await grandparent(launcher);
    expect([nursery, 1]).not.toContain(next);
    running.killTree();
    await running.treeGone;
    expect(processesWith(token)).toEqual([]);
  });

  it('just before a burst fails none of it', async () => {
    const { launcher, nursery } = await warmLauncher();
    process.kill(nursery, 'SIGKILL'); // Node does not know it yet
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => run(launcher, ['echo', 'fine'])));
    expect(new Set(outcomes.map(({ stdout }) => stdout))).toEqual(new Set(['fine\n']));
  });

  it('again and again leaves no process behind', async () => {
    const { launcher } = await warmLauncher();
    const seen = new Set<number>();
    for (let round = 0; round < 10; round += 1) {
      for (const pid of supervisorsOf(process.pid)) seen.add(pid);
      for (const pid of nurseriesOf(process.pid)) process.kill(pid, 'SIGKILL');
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => parentOfCommand(launcher)));
      for (const pid of outcomes) seen.add(pid);
    }
    for (const pid of supervisorsOf(process.pid)) seen.add(pid);
    launcher.close();
    await until(() => [...seen].every((pid) => !isAlive(pid)), 'all are gone');
  });

  it('has its commands end with the supervisor, which is told', async () => {
    const { launcher, nursery } = await warmLauncher();
    const token = uniqueSleep();
    const launched = await launcher.launch(
      specOf(['bash', '-c', `sleep ${token} & (sleep ${token} &) ; sleep ${token}`]),
    );
    await until(() => processesWith(token).length >= 3, 'it runs');
    await die(nursery);
    process.kill(infoOf(launched.pid)?.parent ?? 0, 'SIGKILL');
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL', supervisorLost: true });
    await launched.treeGone;
    await until(() => processesWith(token).length === 0, 'everything is gone', 3000);
  });
});

describe('stopped', () => {
  it('a nursery goes on with the next launch that needs it', async () => {
    const { launcher, nursery } = await warmLauncher();
    process.kill(nursery, 'SIGSTOP');
    await until(() => infoOf(nursery)?.state === 'T', 'it is stopped');
    const started = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => run(launcher, ['echo', 'fine'])));
    expect(outcomes.every(({ stdout }) => stdout === 'fine\n')).toBe(true);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(infoOf(nursery)?.state).not.toBe('T');
  });

  it('a nursery that is stopped all the time holds up no launch for long', async () => {
    const { launcher, nursery } = await warmLauncher();
    const stopper = await launcher.launch(specOf(['bash', '-c', `while kill -STOP ${nursery}; do :; done`]));
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => run(launcher, ['echo', 'fine'])));
    expect(outcomes.every(({ stdout }) => stdout === 'fine\n')).toBe(true);
    stopper.killTree();
    await stopper.treeGone;
  });

  it('a nursery is asked again after it has not answered, which wakes it', async () => {
    const { launcher, nursery } = await warmLauncher();
    const stopper = await launcher.launch(specOf(['bash', '-c', `while kill -STOP ${nursery}; do :; done`]));
    let rounds = 0;
    // How many it takes is chance: on a busy machine the loop that stops it gets little time.
    while (rounds < 500 && (await grandparent(launcher)) === nursery) rounds += 1;
    expect(rounds).toBeLessThan(500);
    stopper.killTree();
    await stopper.treeGone;
    process.kill(nursery, 'SIGSTOP');
    await until(() => infoOf(nursery)?.state === 'T', 'it is stopped');
    expect(await grandparent(launcher)).toBe(nursery);
  });

  it('a supervisor is woken by the nursery at once', async () => {
    const { nursery } = await warmLauncher();
    const waiting = await waitingBelow(nursery);
    for (const pid of waiting) process.kill(pid, 'SIGSTOP');
    await until(() => waiting.every((pid) => infoOf(pid)?.state === 'S'), 'they wait again', 1000);
  });

  it('a waiting supervisor goes on with its launch, although its nursery is stopped too', async () => {
    const { launcher, nursery } = await warmLauncher();
    const waiting = await waitingBelow(nursery);
    for (const pid of [nursery, ...waiting]) process.kill(pid, 'SIGSTOP');
    await until(() => waiting.every((pid) => infoOf(pid)?.state === 'T'), 'they are stopped');
    const used = await parentOfCommand(launcher);
    expect(waiting).toContain(used);
  });

  it('a supervisor obeys at once, also when its nursery is gone', async () => {
    const { launcher, nursery } = await warmLauncher();
    const token = uniqueSleep();
    const launched = await launcher.launch(specOf(['sh', '-c', `sleep ${token}; :`]));
    const supervisor = infoOf(launched.pid)?.parent ?? 0;
    await die(nursery);
    process.kill(supervisor, 'SIGSTOP');
    await until(() => infoOf(supervisor)?.state === 'T', 'it is stopped');
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
  });

  it('a supervisor is woken without being asked for anything', async () => {
    const { launcher } = await warmLauncher();
    const launched = await launcher.launch(specOf(['sh', '-c', 'sleep 0.3; kill -STOP $PPID; exit 9']));
    expect(await launched.exited).toEqual({ code: 9, signal: null });
    await launched.treeGone;
  });

  it('a supervisor in the middle of a large record is woken too', { timeout: 20_000 }, async () => {
    const { launcher, nursery } = await warmLauncher();
    const waiting = await waitingBelow(nursery);
    const inheritFds = [{ data: Buffer.alloc(48 << 20), as: 5 }];
    const launch = run(launcher, ['echo', 'fine'], { inheritFds });
    // Now and then a stop comes while the pipe is full: then nothing is written until it goes on.
    for (let round = 0; round < 20; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const pid of waiting.filter(isAlive)) process.kill(pid, 'SIGSTOP');
    }
    expect((await launch).stdout).toBe('fine\n');
  });
});

function descriptorsOf(pid: number): string {
  try {
    return readdirSync(`/proc/${pid}/fd`).join(' ');
  } catch {
    return 'gone';
  }
}

function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}
