// System calls that reach other processes, the kernel or its mount table, against the real kernel.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOnly, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

const numbers =
  process.arch === 'arm64'
    ? {
        ptrace: 117,
        process_vm_readv: 270,
        keyctl: 219,
        bpf: 280,
        mount: 40,
        unshare: 97,
        clone: 220,
        setns: 268,
        userfaultfd: 282,
        perf_event_open: 241,
        pidfd_open: 434,
        io_uring_setup: 425,
        clone3: 435,
        fsopen: 430,
        ioctl: 29,
      }
    : {
        ptrace: 101,
        process_vm_readv: 310,
        keyctl: 250,
        bpf: 321,
        mount: 165,
        unshare: 272,
        clone: 56,
        setns: 308,
        userfaultfd: 323,
        perf_event_open: 298,
        pidfd_open: 434,
        io_uring_setup: 425,
        clone3: 435,
        fsopen: 430,
        ioctl: 16,
      };

/** `name errno` per call, made with harmless arguments that would otherwise give another answer. */
const calls = (list: readonly (readonly [string, ...(number | string)[]])[]): string =>
  list
    .map(
      ([name, ...args]) =>
        `$! = 0; my $r_${name} = syscall(${numbers[name as keyof typeof numbers]}, ${args.join(', ') || '0'}); print "${name} ", ($r_${name} == -1 ? $!+0 : "ok"), "\\n";`,
    )
    .join('\n');

describe.each(users)('kernel surface, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  beforeAll(() => {
    user = new SandboxUser(uid);
    ws = user.directory();
  });
  afterAll(() => user.close());

  it.each([workspaceWrite(), workspaceWrite({ network: 'enabled' }), readOnly()])(
    'refuses what only an escape needs (%#)',
    async (policy) => {
      const script = calls([
        ['ptrace', 0, 0, 0, 0],
        ['process_vm_readv', 1, 0, 0, 0, 0, 0],
        ['keyctl', 0, -3, 0],
        ['bpf', 0, 0, 0],
        ['mount', 0, 0, 0, 0, 0],
        ['setns', 0, 0],
        ['userfaultfd', 0],
        ['perf_event_open', 0, 0, 0, 0, 0],
        ['io_uring_setup', 8, 0],
        ['fsopen', 0, 0],
      ]);
      const result = await user.run({ argv: ['/usr/bin/perl', '-e', script], cwd: ws, policy });
      expect(
        result.stdout
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[1]),
      ).toEqual(Array(10).fill('1'));
    },
  );

  it('makes no file that runs as its user or group', async () => {
    const script = `umask 0; cp /usr/bin/true tool
      for mode in 4755 2755; do chmod $mode tool 2>/dev/null && echo "chmod $mode"; done
      perl -e 'use Fcntl; for (04755, 02755, 06755) { print "open $_\n" if sysopen(my $f, "made-$_", O_CREAT | O_WRONLY, $_) }'
      perl -e 'my $n = "node"; print syscall(${process.arch === 'arm64' ? '33, -100' : '133'}, $n, 0104755, 0) == 0 ? "mknod\n" : ""'
      perl -e 'my ($n, $how) = ("node", pack("QQQ", 0x41, 04755, 0)); syscall(437, -100, $n, $how, 24) == -1 ? print $!+0, "\n" : print "openat2\n"'
      chmod 1755 tool && mkdir -m 1777 folder && chmod 755 tool && touch plain && stat -c '%n %a' *`;
    const result = await user.shell(ws, workspaceWrite(), script);
    expect(result.stdout).toBe('38\nfolder 1777\nplain 666\ntool 755\n');
    for (const name of ['folder', 'plain', 'tool']) rmSync(join(ws, name), { recursive: true });
  });

  it('makes no new namespace, by any call', async () => {
    const flags = {
      user: 0x10000000,
      mount: 0x20000,
      pid: 0x20000000,
      net: 0x40000000,
      cgroup: 0x2000000,
      uts: 0x4000000,
      time: 0x80,
    };
    const script = Object.entries(flags)
      .map(
        ([name, flag]) =>
          `$! = 0; syscall(${numbers.unshare}, ${flag}); print "${name} ", $!+0, "\\n"; $! = 0; my $p = syscall(${numbers.clone}, ${flag} | 17, 0, 0, 0, 0) if ${flag} > 255; exit 0 if defined $p && $p == 0; print "clone ${name} ", $!+0, "\\n" if ${flag} > 255;`,
      )
      .join('\n');
    const result = await user.run({
      argv: ['/usr/bin/perl', '-e', script],
      cwd: ws,
      policy: workspaceWrite(),
    });
    expect([
      ...new Set(
        result.stdout
          .trim()
          .split('\n')
          .map((line) => line.split(' ').at(-1)),
      ),
    ]).toEqual(['1']);
    const clone3 = await user.run({
      argv: ['/usr/bin/perl', '-e', calls([['clone3', 0, 0]])],
      cwd: ws,
      policy: workspaceWrite(),
    });
    expect(clone3.stdout).toBe('clone3 38\n');
    expect(
      (
        await user.shell(
          ws,
          workspaceWrite(),
          'cat /proc/sys/user/max_user_namespaces; bwrap --ro-bind / / true',
        )
      ).exitCode,
    ).not.toBe(0);
  });

  it('takes no lease on a file, for which everybody who opens it would wait', async () => {
    const made = await user.host(
      ws,
      'echo of the user > leased && python3 -c "import fcntl, os; fcntl.fcntl(os.open(\'leased\', 0), 1024, 1)"',
    );
    expect(made).toEqual({ code: 0, output: '' });
    const script = `import fcntl, os
for kind in (fcntl.F_RDLCK, fcntl.F_WRLCK):
    try: print(fcntl.fcntl(os.open('leased', os.O_RDONLY), 1024, kind))
    except OSError as error: print(error.errno)`;
    for (const policy of [readOnly(), workspaceWrite({ network: 'enabled', unixSockets: 'host' })]) {
      const result = await user.run({ argv: ['/usr/bin/python3', '-c', script], cwd: ws, policy });
      expect(result.stdout).toBe('1\n1\n');
    }
  });

  it('cannot put characters into the terminal', async () => {
    // TIOCSTI, and the same with the unused high half of the argument filled.
    const script = `my $c = "x"; for my $request (0x5412, 0x541c, 0x100005412) { $! = 0; syscall(${numbers.ioctl}, 0, $request, $c); print $!+0, "\\n"; }`;
    const result = await user.run({
      argv: ['/usr/bin/perl', '-e', script],
      cwd: ws,
      policy: workspaceWrite({ network: 'enabled' }),
    });
    expect(result.stdout).toBe('1\n1\n1\n');
  });

  it('has no capability, cannot gain privileges, and runs under the filter', async () => {
    const result = await user.shell(
      ws,
      workspaceWrite({ network: 'enabled' }),
      "grep -E '^(CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):' /proc/self/status | cut -f2",
    );
    expect(result.stdout).toBe(`${'0000000000000000\n'.repeat(4)}1\n2\n`);
  });

  it('has no way to bubblewrap itself, whose process shows its program on the mount of the host', async () => {
    // The mode that it has already: as root, any other would be as good.
    const script = `for way in /proc/1/exe /proc/1/task/1/exe; do chmod --reference=/usr/bin/bwrap $way && echo changed; done
      for name in root cwd fd map_files task; do ls -d /proc/1/$name && echo shown; done; ps -A -o comm=`;
    const result = await user.shell(ws, readOnly(), script);
    expect(result.stdout).toBe('sh\nps\n');
  });

  it('sees and signals no process of the host', async () => {
    const victim = spawn('sleep', ['30']);
    try {
      const result = await user.shell(
        ws,
        workspaceWrite(),
        `kill -9 ${victim.pid} ${user.pid}; kill -9 -1; cat /proc/${user.pid}/environ; ls /proc | grep -c '^[0-9]'`,
      );
      expect(victim.exitCode ?? victim.signalCode).toBeNull();
      expect(result.stdout).toMatch(/^[3-6]\n$/);
    } finally {
      victim.kill('SIGKILL');
    }
  });

  it('shares no message queue or memory segment with the host', async () => {
    const made = await user.host(ws, 'ipcmk -M 4096');
    const id = /\d+/.exec(made.output)?.[0] ?? '';
    try {
      expect((await user.shell(ws, workspaceWrite(), 'ipcs -m | grep -c "^0x"; true')).stdout).toBe('0\n');
    } finally {
      await user.host(ws, `ipcrm -m ${id}`);
    }
  });

  it('makes no device and no set-user-id gain', async () => {
    const result = await user.shell(
      ws,
      workspaceWrite(),
      'mknod disk b 254 0 && echo made; mknod mem c 1 1 && echo made; cat /dev/mem /dev/kmsg 2>/dev/null; su -c true nobody 2>/dev/null && echo su; ls /dev/vda /dev/sda 2>/dev/null; true',
    );
    expect(result.stdout).toBe('');
  });
});
