// On btrfs the owner of a subvolume can make a snapshot of it wherever a name may be made, without a privilege: everything below
// it is there under a new name then, also what is denied.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOnly, type SandboxPolicy, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from '../support/sandbox-user.js';

const landlock = fileURLToPath(new URL('../support/landlock-runner.ts', import.meta.url));
const python = '/usr/bin/python3';

const whyNot = ((): string | undefined => {
  if (process.getuid?.() !== 0) return 'mounting a disk needs root';
  try {
    execFileSync('mkfs.btrfs', ['--version'], { stdio: 'ignore' });
    execFileSync('sh', [
      '-c',
      'modprobe -q btrfs 2>&-; grep -qw btrfs /proc/filesystems && test -e /dev/loop-control',
    ]);
    return undefined;
  } catch {
    return 'needs btrfs: install btrfs-progs';
  }
})();

/** Both forms of the request for a snapshot, and those for subvolumes. `SUBVOLUME WHERE` */
const attempts = `import fcntl, os, struct, sys
root, where = (os.open(path, os.O_RDONLY) for path in sys.argv[1:])
def attempt(name, request, argument, on=where):
    try:
        fcntl.ioctl(on, request, bytearray(argument))
        print(name, 'done')
    except OSError as error:
        print(name, error.errno)
long = lambda number, name: struct.pack('q4088s', number, name)
attempt('snapshot', 0x50009401, long(root, b'snapshot'))
attempt('snapshot 2', 0x50009417, struct.pack('qQQQQQQ4040s', root, 0, 0, 0, 0, 0, 0, b'snapshot2'))
attempt('subvolume', 0x5000940e, long(0, b'subvolume'))
attempt('read-only', 0x4008941a, struct.pack('Q', 2), root)
attempt('writable', 0x4008941a, struct.pack('Q', 0), root)
attempt('origin', 0xc0c89425, bytes(200), root)
`;

describe.skipIf(whyNot !== undefined).each(users)('on btrfs, as %s', (_name, uid) => {
  const base = mkdtempSync('/var/tmp/snapshots-');
  const disk = join(base, 'disk');
  const ws = join(disk, 'ws');
  const secret = join(disk, 'secret');
  const control = join(disk, 'control');
  beforeAll(() => {
    const image = join(base, 'image');
    writeFileSync(image, '');
    truncateSync(image, 128 * 1024 * 1024);
    mkdirSync(disk);
    execFileSync('mkfs.btrfs', ['-q', image]);
    execFileSync('mount', ['-o', 'loop', image, disk]);
    for (const folder of [ws, secret, control]) mkdirSync(folder);
    writeFileSync(join(secret, 'key'), 'the secret');
    execFileSync('chown', ['-R', `${uid}:${uid}`, disk]);
    execFileSync('chmod', ['755', base]);
  });
  afterAll(() => {
    execFileSync('umount', ['--lazy', disk]);
    rmSync(base, { recursive: true, force: true });
  });
  const command = (where: string) => [python, '-c', attempts, disk, where];

  it('makes them outside of every sandbox', () => {
    const user = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...command(control)];
    const [program = '', ...args] = user;
    const told = execFileSync(program, args, { encoding: 'utf8' });
    expect(told).toContain('snapshot done');
    expect(readdirSync(join(control, 'snapshot'))).toContain('secret');
  });

  it('shows nothing of what is denied', async () => {
    const user = new SandboxUser(uid);
    try {
      const policy = workspaceWrite({ deny: [secret] });
      const { stdout } = await user.run({ argv: command(ws), cwd: ws, policy });
      expect(stdout).toContain('snapshot 1\nsnapshot 2 1\n');
    } finally {
      await user.close();
    }
  });

  it.each([
    ['reads', readOnly()],
    ['writes elsewhere', workspaceWrite({ roots: [ws] })],
  ] as const)(
    'makes nothing where nothing may be written under Landlock alone (%s)',
    async (_what, policy: SandboxPolicy) => {
      const user = new SandboxUser(uid, landlock);
      try {
        const accept = ['host-proc', 'root-capabilities', 'unprotected-metadata'] as const;
        const before = readdirSync(secret);
        const { stdout } = await user.run({ argv: command(secret), cwd: ws, policy, accept });
        expect(stdout).toMatch(/^(?:[a-z0-9 -]+ 1\n){6}$/);
        expect(readdirSync(secret)).toEqual(before);
      } finally {
        await user.close();
      }
    },
  );
});
