// What the sandbox package needs from a launch: data by descriptor, signals to the inside, an end for all of it.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { nativeLauncher } from './support/launcher-under-test.js';
import {
  closedPipe,
  collect,
  processesWith,
  pty,
  run,
  specOf,
  uniqueSleep,
  until,
} from './support/run-command.js';

const SANDBOX = [
  'bwrap',
  '--unshare-user',
  '--unshare-pid',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
];

beforeAll(() => {
  const probe = spawnSync('bwrap', [...SANDBOX.slice(1), 'true'], { encoding: 'utf8' });
  if (probe.status !== 0)
    throw new Error(`these tests need a working bubblewrap: ${probe.error ?? probe.stderr}`);
});

/** BPF: uname gives EPERM, everything else is allowed. */
function denyUname(): Buffer {
  const program = Buffer.alloc(32);
  program.writeUInt16LE(0x20, 0); // load the number of the system call
  program.writeUInt16LE(0x15, 8);
  program.writeUInt8(1, 11); // unequal: skip one
  program.writeUInt32LE(process.arch === 'x64' ? 63 : 160, 12);
  program.writeUInt16LE(0x06, 16);
  program.writeUInt32LE(0x00050001, 20); // errno 1
  program.writeUInt16LE(0x06, 24);
  program.writeUInt32LE(0x7fff0000, 28); // allow
  return program;
}

describe.each([
  ['pipe', closedPipe],
  ['pty', pty],
] as const)('bubblewrap on a %s', (_name, io) => {
  it('reads its seccomp program and file contents from memory', async () => {
    const outcome = await run(
      nativeLauncher(),
      [
        ...SANDBOX,
        '--seccomp',
        '8',
        '--ro-bind-data',
        '9',
        '/etc/hostname',
        'sh',
        '-c',
        'cat /etc/hostname; uname || echo refused',
      ],
      {
        io,
        inheritFds: [
          { data: denyUname(), as: 8 },
          { data: Buffer.from('inside\n'), as: 9 },
        ],
      },
    );
    expect((outcome.stdout + outcome.pty).replaceAll('\r', '')).toMatch(
      /^inside\n[^\n]*Operation not permitted|^inside\nrefused\n/,
    );
    expect(outcome.stdout + outcome.pty).toContain('refused');
    expect(outcome.status.code).toBe(0);
  });

  it('passes a signal for the descendants to the command, whose trap runs and whose exit code counts', async () => {
    const script = 'trap "echo trapped; exit 23" INT; echo ready; while :; do sleep 0.02; done';
    const launched = await nativeLauncher().launch(specOf([...SANDBOX, 'bash', '-c', script], { io }));
    const output = collect(launched);
    await until(() => output.text().includes('ready'), 'the command is ready');
    launched.signal('SIGINT', 'descendants');
    expect(await launched.exited).toEqual({ code: 23, signal: null });
    await launched.treeGone;
    await output.ended;
    expect(output.text()).toContain('trapped');
  });

  it('is ended with everything inside', async () => {
    const token = uniqueSleep();
    const script = `setsid sleep ${token} & (setsid sleep ${token} &) ; sleep ${token}`;
    const launched = await nativeLauncher().launch(
      specOf([...SANDBOX, '--new-session', 'bash', '-c', script], { io }),
    );
    const output = collect(launched);
    await until(() => processesWith(token).length >= 4, 'the tree is up');
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
    await output.ended;
  });
});
