// Mounts of a sandbox that must stay: a tree whose sandbox loses one is killed, and its exit names it.
import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type InheritedFd, type LaunchSpec, nativeLauncher } from '../support/launcher-under-test.js';
import { closedPipe, collect, pty, run, specOf, until } from '../support/run-command.js';

const SETTLED = 9;
let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kept mounts\\')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** `names` are covered. */
function sandbox(names: readonly string[], script: string): string[] {
  const covers = names.flatMap((name) => ['--ro-bind', '/dev/null', join(folder, name)]);
  const base = ['--unshare-user', '--unshare-pid', '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  return ['bwrap', ...base, ...covers, '--block-fd', String(SETTLED), '--chdir', folder, 'sh', '-c', script];
}

function make(...names: string[]): void {
  for (const name of names) writeFileSync(join(folder, name), 'old');
}

function replace(name: string): void {
  make('new');
  renameSync(join(folder, 'new'), join(folder, name));
}

const settled: InheritedFd = { settled: true, as: SETTLED };
const paths = (names: readonly string[]) => names.map((name) => join(folder, name));
const endless = 'echo begun; while :; do sleep 0.05; done';

async function start(names: readonly string[], script: string, more: Partial<LaunchSpec> = {}) {
  const argv = sandbox(names, script);
  const spec = specOf(argv, { inheritFds: [settled], keptMounts: paths(names), ...more });
  const launched = await nativeLauncher().launch(spec);
  const output = collect(launched);
  await until(() => output.text().includes('begun'), 'the command runs');
  return launched;
}

describe.each([closedPipe, pty])('a sandbox that loses a mount ($type)', (io) => {
  it('is killed with all that it has started, and the exit names the mount', async () => {
    make('one', 'two');
    const launched = await start(['two', 'one'], `setsid sh -c '${endless}' & ${endless}`, { io });
    replace('one');
    expect(await launched.exited).toMatchObject({
      code: null,
      signal: 'SIGKILL',
      lostMount: join(folder, 'one'),
    });
    await launched.treeGone;
  });

  it('is killed when the mount is found elsewhere', async () => {
    make('one');
    const launched = await start(['one'], endless, { io });
    renameSync(join(folder, 'one'), join(folder, 'elsewhere'));
    expect(await launched.exited).toMatchObject({ signal: 'SIGKILL', lostMount: join(folder, 'one') });
  });
});

it('goes on while all of them are there, whatever else is written', async () => {
  make('one', 'two');
  const launched = await start(['one'], 'echo begun; sleep 1.5; exit 3');
  replace('two');
  make('three');
  const status = await launched.exited;
  expect(status).toMatchObject({ code: 3, signal: null });
  expect(status.lostMount).toBeUndefined();
  await launched.treeGone;
});

it('is watched from a list that comes with its later bytes', async () => {
  make('one');
  const [program = '', ...rest] = sandbox(['one'], endless);
  const options = Buffer.from(rest.slice(0, -3).join('\0').concat('\0'));
  const argv = [program, '--args', '8', '--args', '7', '--', ...rest.slice(-3)];
  const make7 = async () => ({ bytes: options, keptMounts: paths(['one']) });
  const inheritFds = [settled, { make: make7, as: 7, gate: 8 }];
  const launched = await nativeLauncher().launch(specOf(argv, { inheritFds }));
  const output = collect(launched);
  await until(() => output.text().includes('begun'), 'the command runs');
  replace('one');
  expect(await launched.exited).toMatchObject({ signal: 'SIGKILL', lostMount: join(folder, 'one') });
});

it('is watched with a thousand of them', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `name ${index} \\040 ${'x'.repeat(100)}`);
  make(...names);
  const launched = await start(names.toReversed(), endless);
  rmSync(join(folder, names[777] ?? ''));
  expect(await launched.exited).toMatchObject({ lostMount: join(folder, names[777] ?? '') });
});

it('is killed when one of them was never made', async () => {
  make('one');
  const spec = specOf(sandbox(['one'], endless), {
    inheritFds: [settled],
    keptMounts: paths(['one', 'two']),
  });
  const launched = await nativeLauncher().launch(spec);
  collect(launched);
  expect(await launched.exited).toMatchObject({ signal: 'SIGKILL', lostMount: join(folder, 'two') });
});

it('is watched when it outlives its wrapper, which it has ended before it was looked at', async () => {
  make('one');
  // The other holder of the pipe is the delay: as if nobody had had the time to look.
  const wrapper = ['sh', '-c', 'setsid sleep 0.6 & exec "$@"', 'sh'];
  const argv = sandbox(['one'], `setsid sh -c '${endless}' & sleep 0.2; kill -KILL 0`);
  const spec = specOf([...wrapper, ...argv], { inheritFds: [settled], keptMounts: paths(['one']), io: pty });
  const launched = await nativeLauncher().launch(spec);
  const output = collect(launched);
  await until(() => output.text().includes('begun'), 'the command runs');
  expect(await launched.exited).toMatchObject({ signal: 'SIGKILL' });
  replace('one');
  await launched.treeGone;
});

it('is nobody else: a program without a sandbox of its own runs as ever', async () => {
  const more = { inheritFds: [settled], keptMounts: [join(folder, 'one')] };
  const script = `timeout 0.2 cat <&${SETTLED} | wc -c; exec ${SETTLED}<&-; sleep 1.2; echo end`;
  const { stdout, status } = await run(nativeLauncher(), ['sh', '-c', script], more);
  expect({ stdout, code: status.code }).toEqual({ stdout: '1\nend\n', code: 0 });
});
