import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLauncher, LaunchError, type LaunchSpec, launchers } from './support/launcher-under-test.js';
import { closedPipe, PATH, pty, run, specOf, until } from './support/run-command.js';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'launch-errors-'));
  writeFileSync(join(directory, 'plain.txt'), 'text');
  writeFileSync(join(directory, 'no-shebang'), 'echo "ran with $1"\n');
  writeFileSync(join(directory, 'bad-interpreter'), '#!/nowhere/interpreter\n');
  chmodSync(join(directory, 'no-shebang'), 0o755);
  chmodSync(join(directory, 'bad-interpreter'), 0o755);
});
afterAll(() => rmSync(directory, { recursive: true }));

describe.each(launchers)('launch errors (%s)', (kind, create) => {
  async function failure(spec: LaunchSpec): Promise<{ stage: string; errno: string; message: string }> {
    try {
      await create().launch(spec);
    } catch (error) {
      if (error instanceof LaunchError) {
        expect(error.code).toBe('LAUNCH_FAILED');
        return { stage: error.stage, errno: error.errno, message: error.message };
      }
      throw error;
    }
    throw new Error('the launch did not fail');
  }

  it('refuses an empty argv', async () => {
    expect(await failure(specOf([]))).toMatchObject({ stage: 'spec', errno: 'EINVAL' });
  });

  it.each([
    ['argv', specOf(['a\0b'])],
    ['cwd', specOf(['true'], { cwd: '/a\0' })],
    ['env value', specOf(['true'], { env: { A: '\0' } })],
    ['env name', specOf(['true'], { env: { 'A=B': 'x' } })],
    ['arg0', specOf(['true'], { arg0: '\0' })],
    ['relative cwd', specOf(['true'], { cwd: 'tmp' })],
    ['descriptor number', specOf(['true'], { inheritFds: [{ fd: 0, as: 1 }] })],
    ['relative path', specOf(['true'], { inheritFds: [{ path: 'usr', as: 5 }] })],
    [
      'second report',
      specOf(['true'], {
        inheritFds: [
          { report: true, as: 5 },
          { report: true, as: 6 },
        ],
      }),
    ],
  ])('refuses an impossible %s', async (_what, spec) => {
    expect(await failure(spec)).toMatchObject({ stage: 'spec', errno: 'EINVAL' });
  });

  describe.each([
    ['pipe', specOf([]).io],
    ['pty', pty],
  ])('on a %s', (_io, io) => {
    it('tells a missing program', async () => {
      expect(await failure(specOf(['no-such-program'], { io }))).toEqual({
        stage: 'exec',
        errno: 'ENOENT',
        message: 'cannot execute "no-such-program": ENOENT',
      });
      expect(await failure(specOf(['/no/such/program'], { io }))).toMatchObject({ errno: 'ENOENT' });
      expect(await failure(specOf([''], { io }))).toMatchObject({ stage: 'exec', errno: 'ENOENT' });
    });

    it('tells a file that may not be executed', async () => {
      expect(await failure(specOf([`${directory}/plain.txt`], { io }))).toMatchObject({
        stage: 'exec',
        errno: 'EACCES',
      });
      const env = { PATH: `${directory}:/bin` };
      expect(await failure(specOf(['plain.txt'], { io, env }))).toMatchObject({ errno: 'EACCES' });
      expect(await failure(specOf(['/tmp'], { io }))).toMatchObject({ stage: 'exec', errno: 'EACCES' });
    });

    it('tells a program path that leads through a file', async () => {
      expect(await failure(specOf([`${directory}/plain.txt/x`], { io }))).toMatchObject({
        stage: 'exec',
        errno: 'ENOTDIR',
      });
    });

    it('tells a missing cwd and a cwd that is a file', async () => {
      expect(await failure(specOf(['true'], { cwd: '/no/such/dir', io }))).toMatchObject({
        stage: 'cwd',
        errno: 'ENOENT',
      });
      expect(await failure(specOf(['true'], { cwd: `${directory}/plain.txt`, io }))).toMatchObject({
        stage: 'cwd',
        errno: 'ENOTDIR',
      });
    });

    it('tells arguments that are too long', async () => {
      expect(await failure(specOf(['true', 'x'.repeat(200_000)], { io }))).toMatchObject({
        stage: 'exec',
        errno: 'E2BIG',
      });
      const env = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`V${i}`, 'y'.repeat(100_000)]));
      expect(await failure(specOf(['/bin/true'], { env, io }))).toMatchObject({ errno: 'E2BIG' });
    });
  });

  it('looks the program up in the PATH of the given environment only', async () => {
    expect(await failure(specOf(['ls'], { env: { PATH: '/nowhere' } }))).toMatchObject({ errno: 'ENOENT' });
    expect((await run(create(), ['ls', '/'], { env: { PATH } })).status.code).toBe(0);
    expect((await run(create(), ['true'], { env: {} })).status.code).toBe(0); // the default path
  });

  it('takes an empty PATH entry for the working directory and a relative program as relative to it', async () => {
    const env = { PATH: ':/bin' };
    expect((await run(create(), ['no-shebang', 'x'], { env, cwd: directory })).stdout).toBe('ran with x\n');
    expect((await run(create(), ['./no-shebang', 'y'], { cwd: directory })).stdout).toBe('ran with y\n');
  });

  it('tells a script whose interpreter is missing', async () => {
    expect(await failure(specOf([`${directory}/bad-interpreter`]))).toMatchObject({ errno: 'ENOENT' });
  });

  it('leaves nothing behind after a failure', async () => {
    await failure(specOf(['no-such-program'], { io: pty }));
    expect((await run(create(), ['echo', 'still fine'])).stdout).toBe('still fine\n');
    expect(kind).toBe(create().kind);
  });
});

describe('a launch that cannot be written down', () => {
  it.each([
    ['pipe', closedPipe],
    ['pty', pty],
  ] as const)('is refused, and its supervisor let go (%s)', async (_name, io) => {
    const launcher = createLauncher();
    onTestFinished(() => launcher.close());
    await run(launcher, ['true'], { io });
    const before = readdirSync('/proc/self/fd').length;
    const restrict = { rlimits: [{ resource: 'nofile', soft: 1.5, hard: 2 }] } as const;
    for (let round = 0; round < 20; round += 1)
      await expect(launcher.launch(specOf(['true'], { io, restrict }))).rejects.toMatchObject({
        code: 'LAUNCH_FAILED',
        stage: 'spec',
        errno: 'EINVAL',
      });
    // Those that wait for the next launch may have been fewer before.
    await until(() => readdirSync('/proc/self/fd').length <= before + 10, 'no descriptor is left', 3000);
    expect((await run(launcher, ['echo', 'fine'], { io })).status.code).toBe(0);
  });
});

describe('a launcher program that is not there', () => {
  it('is an error of the supervisor stage', async () => {
    const launcher = createLauncher({ launcherProgram: '/nowhere/codex-launcher' });
    await expect(launcher.launch(specOf(['true']))).rejects.toMatchObject({
      stage: 'supervisor',
      errno: 'ENOENT',
    });
  });

  it('that is another program is an error too', async () => {
    const launcher = createLauncher({ launcherProgram: '/bin/true' });
    await expect(launcher.launch(specOf(['true']))).rejects.toMatchObject({ stage: 'supervisor' });
  });
});
