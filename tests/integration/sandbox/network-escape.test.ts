// Ways to the network and to sockets of the host, against the real kernel.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type NetworkPolicy, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

/** Listens on one datagram and one stream unix socket and prints what arrives. */
const hostSockets = `use Socket; use IO::Select; $| = 1; my ($dir) = @ARGV; my $all = IO::Select->new;
for (['dgram', SOCK_DGRAM, pack_sockaddr_un("$dir/dgram")], ['abstract', SOCK_DGRAM, pack_sockaddr_un("\\0sandbox-test-$$")], ['stream', SOCK_STREAM, pack_sockaddr_un("$dir/stream")]) {
  my ($name, $type, $address) = @$_; socket(my $s, AF_UNIX, $type, 0) or die; bind($s, $address) or die; listen($s, 5) if $type == SOCK_STREAM; $all->add($s); $names{$s} = $name; }
chmod 0777, "$dir/dgram", "$dir/stream"; print "ready $$\\n";
while (my @ready = $all->can_read) { for my $s (@ready) { if ($names{$s} eq 'stream') { accept(my $c, $s); print "got stream\\n"; next } recv($s, my $text, 100, 0); print "got $names{$s}\\n"; } }`;

/** Tries every way to send a datagram or to connect; prints what the kernel let pass. */
const attack = `use Socket; my ($dir, $pid) = @ARGV; my @to = (pack_sockaddr_un("$dir/dgram"), pack_sockaddr_un("\\0sandbox-test-$pid"));
for my $to (@to) {
  if (socket(my $s, AF_UNIX, SOCK_DGRAM, 0)) { print "sent\\n" if send($s, "x", 0, $to); }
  if (socket(my $s, AF_UNIX, SOCK_RAW, 0)) { print "sent raw\\n" if send($s, "x", 0, $to); }
  if (socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0)) { print "sent by pair\\n" if send($a, "x", 0, $to); print "reconnected\\n" if connect($a, $to); }
  if (socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0)) { print "reconnected stream\\n" if connect($a, $to); }
}
if (socket(my $s, AF_UNIX, SOCK_STREAM, 0)) { print "connected\\n" if connect($s, pack_sockaddr_un("$dir/stream")); }`;

/** Prints the address families that can be opened. */
const families = `use Socket; my %f = (unix => [1,1,0], inet => [2,1,0], inet6 => [10,1,0], udp => [2,2,0], route => [16,3,0], audit => [16,3,9], uevent => [16,3,15], packet => [17,3,0], vsock => [40,1,0], alg => [38,5,0], raw => [2,3,1], ping => [2,2,1]);
for (sort keys %f) { print "$_\\n" if socket(my $s, $f{$_}[0], $f{$_}[1], $f{$_}[2]) }`;

describe.each(users)('network, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  let outside: string;
  let tcp: Server;
  let host: ChildProcess;
  let hostPid = '';
  const arrived: string[] = [];
  let connections = 0;
  beforeAll(async () => {
    user = new SandboxUser(uid);
    ws = user.directory();
    outside = user.directory();
    chmodSync(outside, 0o777);
    tcp = createServer((socket) => {
      connections += 1;
      socket.end('host\n');
    }).listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    host = spawn('perl', ['-e', hostSockets, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve) => {
      host.stdout?.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.trim().split('\n')) {
          if (line.startsWith('ready ')) {
            hostPid = line.slice(6);
            resolve();
          } else arrived.push(line);
        }
      });
    });
  });
  afterAll(async () => {
    host.kill('SIGKILL');
    tcp.close();
    await user.close();
  });
  const perl = (network: NetworkPolicy, script: string, ...args: string[]) =>
    user.run({
      argv: ['/usr/bin/perl', '-e', script, ...args],
      cwd: ws,
      policy: workspaceWrite({ network }),
      timeoutMs: 30_000,
    });
  const connectTo = (network: NetworkPolicy, address: string) => {
    const port = (tcp.address() as AddressInfo).port;
    return user.run({
      argv: ['/bin/bash', '-c', `exec 3<>/dev/tcp/${address}/${port} && cat <&3`],
      cwd: ws,
      policy: workspaceWrite({ network }),
      timeoutMs: 20_000,
    });
  };

  it.each(['restricted', 'loopback'] as const)(
    '%s: no datagram and no connection reaches a socket of the host',
    async (network) => {
      arrived.length = 0;
      const result = await perl(network, attack, outside, hostPid);
      expect(result.stdout).toBe('');
      expect(arrived).toEqual([]);
    },
  );

  it('the attack does arrive where it is allowed, so the test above means something', async () => {
    arrived.length = 0;
    const control = await user.host(ws, `perl -e '${attack}' ${outside} ${hostPid}`);
    expect(control.output).toContain('sent by pair');
    await expect.poll(() => arrived.filter((line) => line === 'got dgram').length).toBeGreaterThan(1);
  });

  it.each(['restricted', 'loopback'] as const)(
    '%s: the loopback interface of the host is out of reach',
    async (network) => {
      const before = connections;
      for (const address of ['127.0.0.1', 'localhost', '0.0.0.0', '2130706433', '::1', '::ffff:127.0.0.1']) {
        expect((await connectTo(network, address)).exitCode).not.toBe(0);
      }
      expect(connections).toBe(before);
    },
  );

  it('enabled: the network of the host is there', async () => {
    expect((await connectTo('enabled', '127.0.0.1')).stdout).toBe('host\n');
  });

  it('enabled: what is always denied is out of reach, files and sockets alike', async () => {
    arrived.length = 0;
    const result = await user.run({
      argv: ['/usr/bin/perl', '-e', attack, outside, '0'],
      cwd: ws,
      policy: workspaceWrite({ network: 'enabled', unixSockets: 'host', roots: [outside] }),
      alwaysDeny: [`${outside}/dgram`, `${outside}/stream`],
    });
    expect(result.stdout).toBe('');
    expect(arrived).toEqual([]);
  });

  it('each policy opens only its own kinds of sockets', async () => {
    expect((await perl('restricted', families)).stdout).toBe('route\n');
    expect((await perl('loopback', families)).stdout.split('\n').filter((name) => name !== 'ping')).toEqual([
      'inet',
      'inet6',
      'route',
      'udp',
      '',
    ]);
    for (const unixSockets of ['none', 'host'] as const) {
      const policy = workspaceWrite({ network: 'enabled', unixSockets });
      const argv = ['/usr/bin/perl', '-e', families];
      const enabled = (await user.run({ argv, cwd: ws, policy })).stdout.split('\n');
      expect(enabled).toEqual(expect.arrayContaining(['inet', 'inet6', 'route', 'udp']));
      expect(enabled.includes('unix')).toBe(unixSockets === 'host');
      for (const name of ['audit', 'uevent', 'packet', 'vsock', 'alg', 'raw'])
        expect(enabled).not.toContain(name);
    }
  });

  it('names do not resolve and common clients fail without hanging', async () => {
    const result = await user.shell(
      ws,
      workspaceWrite(),
      'curl -sS -m 5 http://127.0.0.1/ && echo reached; curl -sS -m 5 http://169.254.169.254/ && echo reached; getent hosts example.com && echo resolved; true',
    );
    expect(result.stdout).toBe('');
  });

  it('loopback: a server inside can be reached from inside', async () => {
    const script = `const s = require('net').createServer((c) => c.end('inner')).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close(); }))`;
    const result = await user.run({
      argv: ['node', '-e', script],
      cwd: ws,
      policy: workspaceWrite({ network: 'loopback' }),
      timeoutMs: 20_000,
    });
    expect(result.stdout).toBe('inner\n');
  });
});
