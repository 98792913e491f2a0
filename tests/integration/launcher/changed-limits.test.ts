// A command that changes the limits of the nursery and of the supervisors that wait: launches after it have the
// server's.
import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { childrenOf, nurseriesOf } from './support/launcher-processes.js';
import { createLauncher } from './support/launcher-under-test.js';
import { run } from './support/run-command.js';

it.each(['nofile=9', 'nofile=6', 'fsize=0', 'as=1000000', 'stack=0', 'nproc=0', 'cpu=1'])(
  '%s',
  async (limit) => {
    const others = new Set(nurseriesOf(process.pid));
    const launcher = createLauncher();
    onTestFinished(() => launcher.close());
    const limits = async () => (await run(launcher, ['cat', '/proc/self/limits'])).stdout;
    const before = await limits();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [nursery = 0] = nurseriesOf(process.pid).filter((pid) => !others.has(pid));
    expect(nursery).toBeGreaterThan(0);
    for (const pid of [nursery, ...childrenOf(nursery).map((child) => child.pid)])
      execFileSync('prlimit', ['--pid', String(pid), `--${limit}`]);
    for (let round = 0; round < 6; round += 1) expect(await limits()).toBe(before);
  },
);
