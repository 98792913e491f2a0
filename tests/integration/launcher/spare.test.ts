// The supervisors that wait for the next launch.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAlive, nurseriesOf, supervisorsOf } from './support/launcher-processes.js';
import { createLauncher } from './support/launcher-under-test.js';
import { closedPipe, pty, run, until } from './support/run-command.js';

const MOST_WAITING = 4;
const spares = (): number[] => supervisorsOf(process.pid);

/** The supervisor of the last launch is still leaving when its tree is told gone: give it a moment. */
async function settledSpares(): Promise<number[]> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  await until(() => spares().length > 0 && spares().length <= MOST_WAITING, 'some are there');
  return spares();
}

describe('a spare supervisor', () => {
  it.each([closedPipe, pty])(
    'waits after a launch ($type), is used by the next, and ends on close()',
    async (io) => {
      const launcher = createLauncher();
      await run(launcher, ['true'], { io });
      const waiting = await settledSpares();
      const argv = ['sh', '-c', 'echo $PPID'];
      const first = await run(launcher, argv, { io });
      expect(waiting).toContain(Number.parseInt(first.stdout + first.pty, 10));
      await settledSpares();
      launcher.close();
      await until(() => spares().length === 0 && nurseriesOf(process.pid).length === 0, 'all are gone');
      await run(launcher, ['true'], { io });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect([...spares(), ...nurseriesOf(process.pid)]).toEqual([]);
    },
  );

  it('is used for a launch whose further descriptors the launcher makes itself', async () => {
    const launcher = createLauncher();
    const inheritFds = [
      { data: Buffer.from('x'), as: 5 },
      { path: '/', as: 6 },
      { report: true, as: 7 },
    ] as const;
    await run(launcher, ['true'], { inheritFds });
    const waiting = await settledSpares();
    const { stdout } = await run(launcher, ['sh', '-c', 'echo $PPID'], { inheritFds });
    expect(waiting).toContain(Number(stdout));
    launcher.close();
    await until(() => spares().length === 0, 'all are gone');
  });

  it.each([closedPipe, pty])('that was killed is replaced without notice ($type)', async (io) => {
    const launcher = createLauncher();
    await run(launcher, ['true'], { io });
    const waiting = await settledSpares();
    for (const pid of waiting) process.kill(pid, 'SIGKILL');
    await until(() => !waiting.some(isAlive), 'they are gone');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { stdout, pty: shown } = await run(launcher, ['echo', 'fine'], { io });
    expect((stdout + shown).trim()).toBe('fine');
    launcher.close();
    await until(() => spares().length === 0, 'all are gone');
  });

  it('does not keep Node alive and ends with it', async () => {
    const fixture = fileURLToPath(new URL('./fixtures/one-launch.ts', import.meta.url));
    const result = spawnSync(process.execPath, ['--import', 'tsx', fixture], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(result.stderr).toBe('');
    const left = JSON.parse(result.stdout) as number[];
    expect(left.length).toBeGreaterThan(1);
    await until(() => !left.some(isAlive), 'the nursery and the spares have ended');
  });
});
