// Granted descriptors: those that are handed over, and those that the launcher makes.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLauncher, LaunchError, launchers, nativeLauncher } from './support/launcher-under-test.js';
import { closedPipe, collect, pty, run, specOf, until } from './support/run-command.js';

function fifo(): { reader: number; writer: number } {
  const directory = mkdtempSync(join(tmpdir(), 'granted-'));
  const path = join(directory, 'fifo');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  rmSync(directory, { recursive: true });
  onTestFinished(() => closeSync(reader));
  return { reader, writer };
}

/** Undefined while a writer has the pipe open and has not written. */
function readNow(fd: number): string | undefined {
  const buffer = Buffer.alloc(64);
  try {
    return buffer.toString('latin1', 0, readSync(fd, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

it.each(launchers)('%s: a descriptor that the command closes is closed', async (_kind, launcher) => {
  const { reader, writer } = fifo();
  const script = 'echo here >&7; exec 7>&-; echo closed; exec sleep 60';
  const launched = await launcher().launch(
    specOf(['sh', '-c', script], { inheritFds: [{ fd: writer, as: 7 }] }),
  );
  closeSync(writer);
  onTestFinished(async () => {
    launched.killTree();
    await launched.treeGone;
  });
  const output = collect(launched);
  await until(() => output.text() === 'closed\n', 'the command has closed its end');
  expect(readNow(reader)).toBe('here\n');
  expect(readNow(reader)).toBe(''); // the end: no process has it open
});

/** Writes into the file at 7, makes it longer, makes it shorter, and reads it. */
const CHANGING = `
import errno, os
def attempt(act):
    try: act()
    except OSError as error: return errno.errorcode[error.errno]
    return 'done'
tried = [attempt(lambda: os.pwrite(7, b'x', 0)), attempt(lambda: os.ftruncate(7, 99)), attempt(lambda: os.ftruncate(7, 1))]
print(*tried, os.pread(7, 99, 0).decode())`;

function folder(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'granted-')));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

const stageAndErrno = (launch: Promise<unknown>): Promise<string> =>
  launch.then(
    () => 'launched',
    (error) => (error instanceof LaunchError ? `${error.stage} ${error.errno}` : String(error)),
  );

describe('a path', () => {
  it("is the command's as a handle that opens nothing by itself", async () => {
    const directory = folder();
    writeFileSync(join(directory, 'file'), 'content');
    const script = 'readlink /proc/self/fd/7; cat /proc/self/fd/7/file; read line <&7 || echo refused';
    const { stdout, stderr } = await run(nativeLauncher(), ['bash', '-c', script], {
      inheritFds: [{ path: directory, as: 7 }],
    });
    expect(stdout).toBe(`${directory}\ncontentrefused\n`);
    expect(stderr).toContain('Bad file descriptor');
  });

  it.each([
    ['a link at its end', 'link', 'io ELOOP'],
    ['a link on the way', 'link/sub', 'io ESTALE'],
    ['a second spelling', './real', 'io ESTALE'],
    ['nothing', 'missing', 'io ENOENT'],
    ['below a file', 'file/sub', 'io ENOTDIR'],
    ['a second slash', '/real', 'io ESTALE'],
    ['a slash at its end', 'real/', 'io ESTALE'],
    ['a way back', 'real/../real', 'io ESTALE'],
  ])('that is %s fails the launch', async (_what, name, expected) => {
    const directory = folder();
    mkdirSync(join(directory, 'real', 'sub'), { recursive: true });
    symlinkSync('real', join(directory, 'link'));
    writeFileSync(join(directory, 'file'), '');
    const inheritFds = [{ path: `${directory}/${name}`, as: 7 }];
    expect(await stageAndErrno(nativeLauncher().launch(specOf(['true'], { inheritFds })))).toBe(expected);
  });

  it('is the very directory that was looked at, and not another one that was moved there', async () => {
    const directory = folder();
    const path = join(directory, 'granted');
    mkdirSync(path);
    mkdirSync(join(directory, 'other'));
    const { dev: device, ino: inode } = statSync(path, { bigint: true });
    const inheritFds = [{ path, as: 7, identity: { device, inode } }];
    const launch = () => stageAndErrno(nativeLauncher().launch(specOf(['true'], { inheritFds })));
    expect(await launch()).toBe('launched');
    renameSync(path, join(directory, 'aside'));
    renameSync(join(directory, 'other'), path);
    expect(await launch()).toBe('io ESTALE');
  });

  it('is not one of another mount namespace that is spelled the same there', async () => {
    const place = join(folder(), 'place');
    mkdirSync(place);
    const script = `mount -t tmpfs none ${place} && mkdir -p ${place}/x/sub && echo ready; exec sleep 60`;
    const other = spawn('unshare', ['-rm', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void other.kill('SIGKILL'));
    await once(other.stdout, 'data');
    symlinkSync(`/proc/${other.pid}/root${place}/x`, join(place, 'x'));
    const inheritFds = [{ path: join(place, 'x', 'sub'), as: 7 }];
    const attempt = nativeLauncher().launch(specOf(['true'], { inheritFds }));
    expect(await stageAndErrno(attempt)).toBe('io ESTALE');
  });

  it('never leads elsewhere while somebody swaps it', async () => {
    const directory = folder();
    for (const name of ['real', 'elsewhere']) mkdirSync(join(directory, name));
    const path = join(directory, 'real');
    const seen = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const launch = run(nativeLauncher(), ['readlink', '/proc/self/fd/7'], {
        inheritFds: [{ path, as: 7 }],
      });
      renameSync(path, join(directory, 'aside'));
      symlinkSync('elsewhere', path);
      await launch.then(
        ({ stdout }) => seen.add(stdout.trim()),
        (error: LaunchError) => seen.add(error.errno),
      );
      rmSync(path);
      renameSync(join(directory, 'aside'), path);
    }
    seen.delete('ELOOP');
    seen.delete('ESTALE');
    seen.delete('ENOENT');
    for (const place of seen) expect([path, join(directory, 'aside')]).toContain(place);
  });
});

it('bytes cannot be changed, so that whoever reads the file reads what was meant', async () => {
  const { stdout } = await run(nativeLauncher(), ['python3', '-c', CHANGING], {
    inheritFds: [{ data: Buffer.from('meant'), as: 7 }],
  });
  expect(stdout).toBe('EPERM EPERM EPERM meant\n');
});

describe('a report', () => {
  it.each([closedPipe, pty])('comes with the exit ($type)', async (io) => {
    const script = 'echo first >&5; echo out; echo second >&5; exit 3';
    const launched = await nativeLauncher().launch(
      specOf(['sh', '-c', script], { io, inheritFds: [{ report: true, as: 5 }] }),
    );
    const output = collect(launched);
    const exit = await launched.exited;
    expect({ ...exit, report: exit.report?.toString() }).toEqual({
      code: 3,
      signal: null,
      report: 'first\nsecond\n',
    });
    await until(() => output.text().includes('out'), 'the output is there');
  });

  it('is empty when nothing was written, and absent when none was asked for', async () => {
    const spec = specOf(['true'], { inheritFds: [{ report: true, as: 5 }] });
    expect((await (await nativeLauncher().launch(spec)).exited).report).toEqual(Buffer.alloc(0));
    expect(await (await nativeLauncher().launch(specOf(['true']))).exited).toEqual({ code: 0, signal: null });
  });

  it('is cut at 4 KiB, does not wait for background children, and survives a kill', async () => {
    const script = 'head -c 10000 /dev/zero >&5; sleep 60 & kill -9 $$';
    const launched = await nativeLauncher().launch(
      specOf(['bash', '-c', script], { inheritFds: [{ report: true, as: 5 }] }),
    );
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL', report: Buffer.alloc(4096) });
    launched.killTree();
    await launched.treeGone;
  });
});

it('node: what only the native launcher can make is refused', async () => {
  const launcher = createLauncher({ launcherProgram: null });
  for (const grant of [
    { data: Buffer.from('x'), as: 5 },
    { path: '/', as: 5 },
    { report: true, as: 5 },
  ] as const) {
    expect(await stageAndErrno(launcher.launch(specOf(['true'], { inheritFds: [grant] })))).toBe(
      'io EOPNOTSUPP',
    );
  }
});
