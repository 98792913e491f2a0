/** The supervisor that waits for the next launch. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLauncher } from './launcher-under-test.js';
import { closedPipe, pty, run, until } from './run-command.js';

function spareOf(pid: number): number[] {
  const table = spawnSync('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout;
  return table
    .split('\n')
    .filter((line) => line.includes('codex-launcher'))
    .map((line) => Number.parseInt(line, 10));
}

/** The supervisor of the last launch is still leaving when its tree is told gone: give it a moment. */
async function settledSpare(): Promise<number[]> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  await until(() => spareOf(process.pid).length === 1, 'a spare is there');
  return spareOf(process.pid);
}

describe('a spare supervisor', () => {
  it.each([closedPipe, pty])(
    'waits after a launch ($type), is used by the next, and ends on close()',
    async (io) => {
      const launcher = createLauncher();
      await run(launcher, ['true'], { io });
      const [spare] = await settledSpare();
      const argv = ['sh', '-c', 'echo $PPID'];
      const first = await run(launcher, argv, { io });
      expect(Number.parseInt(first.stdout + first.pty, 10)).toBe(spare);
      await settledSpare();
      launcher.close();
      await until(() => spareOf(process.pid).length === 0, 'it is gone');
      await run(launcher, ['true'], { io });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(spareOf(process.pid)).toEqual([]);
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
    const [spare] = await settledSpare();
    const { stdout } = await run(launcher, ['sh', '-c', 'echo $PPID'], { inheritFds });
    expect(Number(stdout)).toBe(spare);
    launcher.close();
  });

  it('that was killed is replaced without notice', async () => {
    const launcher = createLauncher();
    await run(launcher, ['true'], { io: pty });
    for (const pid of await settledSpare()) process.kill(pid, 'SIGKILL');
    await until(() => spareOf(process.pid).length === 0, 'it is gone');
    expect((await run(launcher, ['echo', 'fine'], { io: pty })).pty).toBe('fine\r\n');
    launcher.close();
  });

  it('does not keep Node alive and ends with it', async () => {
    const fixture = fileURLToPath(new URL('./fixtures/one-launch.ts', import.meta.url));
    const result = spawnSync(process.execPath, ['--import', 'tsx', fixture], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(result.stderr).toBe('');
    const spare = Number(result.stdout);
    expect(spare).toBeGreaterThan(0);
    await until(() => spawnSync('ps', ['-p', String(spare)]).status !== 0, 'the spare has ended');
  });
});
