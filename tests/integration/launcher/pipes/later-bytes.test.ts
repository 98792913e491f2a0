/** Bytes that a program waits for while they are still being made. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { nativeLauncher } from '../support/launcher-under-test.js';
import { closedPipe, collect, pty, run, specOf, until } from '../support/run-command.js';

/** Reads the gate to its end, then what lies behind it. */
const reader = ['sh', '-c', 'cat <&8; echo open; cat <&7; echo end'];

const later = (bytes: () => Promise<Uint8Array>) => ({
  inheritFds: [{ make: async () => ({ bytes: await bytes() }), as: 7, gate: 8 }],
});

it.each([closedPipe, pty])('reach a program that was started before them ($type)', async (io) => {
  const text = 'x'.repeat(200_000); // more than a pipe holds
  let resolve: (bytes: Uint8Array) => void = () => undefined;
  const promise = new Promise<Uint8Array>((made) => {
    resolve = made;
  });
  const launching = nativeLauncher().launch(specOf(reader, { io, ...later(() => promise) }));
  let isLaunched = false;
  void launching.then(() => {
    isLaunched = true;
  });
  await until(() => waitingForGate() > 0, 'the program runs');
  expect(isLaunched).toBe(false);
  resolve(Buffer.from(text));
  const launched = await launching;
  const output = collect(launched);
  expect(await launched.exited).toMatchObject({ code: 0 });
  await until(() => output.text().includes('end'), 'the output is there');
  expect(output.text().replaceAll('\r', '')).toBe(`open\n${text}end\n`);
});

it('are asked for once, when the program is on its way', async () => {
  let asked = 0;
  const make = async () => {
    asked += 1;
    return Buffer.from('made');
  };
  const { stdout } = await run(nativeLauncher(), reader, later(make));
  expect(stdout).toBe('open\nmadeend\n');
  expect(asked).toBe(1);
});

it('that cannot be made end the program, and the launch fails with the reason', async () => {
  const reason = new TypeError('no bytes today');
  const launching = nativeLauncher().launch(
    specOf(
      ['sh', '-c', 'cat <&8; exec sleep 61.25'],
      later(() => Promise.reject(reason)),
    ),
  );
  await expect(launching).rejects.toBe(reason);
  expect(commandLines().filter((line) => line.includes('61.25'))).toEqual([]);
});

it('cannot be read in part: a supervisor that dies on the way leaves an empty file', async () => {
  const never = new Promise<Uint8Array>(() => undefined);
  const script = 'trap "" TERM; cat <&8; wc -c <&7; exec sleep 61.5';
  void nativeLauncher()
    .launch(
      specOf(
        ['setsid', 'sh', '-c', script],
        later(() => never),
      ),
    )
    .catch(() => undefined);
  await until(() => pidsOf('61.5').length > 0, 'the program runs');
  const [pid = 0] = pidsOf('61.5');
  onTestFinished(() => {
    for (const left of pidsOf('61.5')) process.kill(left, 'SIGKILL');
  });
  // Its own position in the file is behind everything that may be written there until all of it is.
  const position = /^pos:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/7`, 'latin1'))?.[1];
  expect(Number(position)).toBeGreaterThanOrEqual(64 * 1024 * 1024);
});

it('cannot be changed once they are there', async () => {
  const script = `cat <&8; python3 -c 'import os
try: os.pwrite(7, b"x", 0); print("changed")
except PermissionError: print("refused", os.pread(7, 9, 0).decode())'`;
  const { stdout } = await run(
    nativeLauncher(),
    ['sh', '-c', script],
    later(async () => Buffer.from('made')),
  );
  expect(stdout).toBe('refused made\n');
});

it('leave a supervisor that serves again', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { stdout } = await run(nativeLauncher(), reader, {
      ...later(async () => Buffer.from(`round ${round}`)),
      ownPidNamespace: true,
    });
    expect(stdout).toBe(`open\nround ${round}end\n`);
  }
});

it('need numbers of their own, and there is one of them', async () => {
  const make = async () => ({ bytes: Buffer.from('') });
  const twice = { inheritFds: [{ make, as: 7, gate: 7 }] };
  await expect(nativeLauncher().launch(specOf(['true'], twice))).rejects.toThrow(
    /7 is not a free descriptor/,
  );
  const two = {
    inheritFds: [
      { make, as: 5, gate: 6 },
      { make, as: 7, gate: 8 },
    ],
  };
  await expect(nativeLauncher().launch(specOf(['true'], two))).rejects.toThrow(/more than one/);
});

function processes(): { pid: number; line: string }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      try {
        return [{ pid, line: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });
}

const commandLines = () => processes().map(({ line }) => line);
const pidsOf = (text: string) =>
  processes()
    .filter(({ line }) => line.includes(text))
    .map(({ pid }) => pid);
const waitingForGate = () => commandLines().filter((line) => line.includes('echo open')).length;
