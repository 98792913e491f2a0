import { describe, expect, it } from 'vitest';
import { type FinishedCommand, findDenial, isLikelyDenied } from './find-denial.js';

const command = (fields: Partial<FinishedCommand>): FinishedCommand => ({
  sandbox: 'linuxSeccomp',
  exitCode: 1,
  stdout: '',
  stderr: '',
  ...fields,
});

describe('the denial verdict', () => {
  it.each<[string, Partial<FinishedCommand>, boolean]>([
    ['success is never a denial', { exitCode: 0, stderr: 'Permission denied' }, false],
    ['nor is anything without a sandbox', { sandbox: 'none', stderr: 'Permission denied' }, false],
    ['nor a silent failure', {}, false],
    ['operation not permitted', { stderr: 'mount: Operation not permitted' }, true],
    ['permission denied, in any case', { stderr: 'PERMISSION DENIED' }, true],
    ['read-only file system', { stderr: "touch: cannot touch 'x': Read-only file system" }, true],
    ['seccomp', { stderr: 'killed by seccomp' }, true],
    ['sandbox', { stderr: 'sandbox: no' }, true],
    ['landlock', { stderr: 'landlock' }, true],
    ['failed to write file', { stderr: 'Failed to write file /x' }, true],
    ['in the standard output', { stdout: 'permission denied' }, true],
    ['in the combined output', { combined: 'permission denied' }, true],
    [
      'exit 2, 126 and 127 with a keyword',
      { exitCode: 2, stderr: 'sh: cannot create x: Read-only file system' },
      true,
    ],
    ['exit 127 without one', { exitCode: 127, stderr: 'sh: x: not found' }, false],
    ['the exit code of SIGSYS on Linux', { exitCode: 159 }, true],
    ['but not on macOS', { exitCode: 159, sandbox: 'macosSeatbelt' }, false],
    ['a keyword on macOS', { sandbox: 'macosSeatbelt', stderr: 'Operation not permitted' }, true],
  ])('%s', (_title, fields, expected) => {
    expect(isLikelyDenied(command(fields))).toBe(expected);
  });
});

describe('the evidence', () => {
  it.each<[string, Partial<FinishedCommand>, object]>([
    [
      'names the path',
      { stderr: "first\ntouch: cannot touch '/etc/x': Read-only file system\nlast" },
      {
        reason: 'read_only_file_system',
        line: "touch: cannot touch '/etc/x': Read-only file system",
        path: '/etc/x',
      },
    ],
    [
      'a path without quotes',
      { stderr: 'bash: /etc/x: Permission denied' },
      { reason: 'permission_denied', line: 'bash: /etc/x: Permission denied', path: '/etc/x' },
    ],
    [
      'a relative path',
      { stderr: 'cat: ./x: Permission denied' },
      { reason: 'permission_denied', line: 'cat: ./x: Permission denied', path: './x' },
    ],
    [
      'no path',
      { stderr: 'socket: Operation not permitted' },
      { reason: 'operation_not_permitted', line: 'socket: Operation not permitted', path: undefined },
    ],
    [
      'stderr goes before stdout',
      { stdout: 'permission denied', stderr: 'seccomp' },
      { reason: 'policy_denied', line: 'seccomp', path: undefined },
    ],
    ['a signal has no line', { exitCode: 159 }, { reason: 'sigsys', line: '', path: undefined }],
  ])('%s', (_title, fields, expected) => {
    expect(findDenial(command(fields))).toEqual(expected);
  });

  it('is cut to 512 characters', () => {
    expect(findDenial(command({ stderr: `${'x'.repeat(2000)} permission denied` }))?.line).toHaveLength(512);
  });
});

describe('line and path belong together', () => {
  it.each<[string, string, string | undefined, string]>([
    [
      'of several denials the first counts',
      "touch: cannot touch '/etc/a': Read-only file system\nls: cannot open directory '/root/.ssh': Permission denied",
      '/etc/a',
      'read_only_file_system',
    ],
    [
      'a line without a path takes none from another',
      'mount: Operation not permitted\nbash: /etc/x: Permission denied',
      undefined,
      'operation_not_permitted',
    ],
    ['Node', "Error: EROFS: read-only file system, open '/etc/a'", '/etc/a', 'read_only_file_system'],
    ['Python', "OSError: [Errno 30] Read-only file system: '/etc/a'", '/etc/a', 'read_only_file_system'],
    ['dash', 'sh: 1: cannot create /etc/a: Read-only file system', '/etc/a', 'read_only_file_system'],
    ['git', 'fatal: cannot mkdir /etc/x: Read-only file system', '/etc/x', 'read_only_file_system'],
    [
      'a relative name of git',
      'error: could not lock config file .git/config: Read-only file system',
      '.git/config',
      'read_only_file_system',
    ],
    ['a name in quotes', "touch: cannot touch 'a b': Read-only file system", 'a b', 'read_only_file_system'],
    [
      'the quotes of other locales',
      'mkdir: cannot create directory ‘/etc/d’: Permission denied',
      '/etc/d',
      'permission_denied',
    ],
    [
      'the second of two names',
      "mv: cannot move 'a' to '/etc/a': Permission denied",
      '/etc/a',
      'permission_denied',
    ],
    ['an address is no path', 'git: https://a/b: Permission denied', undefined, 'permission_denied'],
    [
      'a terminal',
      "\u001b[31mtouch: cannot touch '/etc/a': Read-only file system\u001b[0m\r",
      '/etc/a',
      'read_only_file_system',
    ],
  ])('%s', (_title, stderr, path, reason) => {
    const denial = findDenial(command({ stderr }));
    expect(denial).toMatchObject({ reason, path });
    if (path !== undefined) expect(denial?.line).toContain(path);
  });
});

describe('a refused network', () => {
  const refusals = [
    'curl: (6) Could not resolve host: example.com',
    "fatal: unable to access 'https://example.com/x.git/': Could not resolve host: example.com",
    'ssh: Could not resolve hostname example.com: Temporary failure in name resolution',
    'Error: getaddrinfo EAI_AGAIN example.com',
    'Error: connect ENETUNREACH 1.2.3.4:80 - Local (0.0.0.0:0)',
    'OSError: [Errno 101] Network is unreachable',
    'socket.gaierror: [Errno -3] Temporary failure in name resolution',
    'npm error code EAI_AGAIN',
    "wget: unable to resolve host address 'example.com'",
    'dial tcp: lookup example.com: socket: operation not permitted',
    'Failed to establish a new connection: [Errno -3] Temporary failure in name resolution',
  ];
  it.each(refusals)('%s', (stderr) => {
    for (const network of ['restricted', 'loopback'] as const) {
      const denial = findDenial(command({ stderr: `first\n${stderr}\nlast`, network }));
      expect(denial).toEqual({ reason: 'network_denied', line: stderr, path: undefined });
    }
  });

  it.each([
    'Error: connect EPERM 1.2.3.4:80 - Local (undefined:undefined)',
    "curl: (7) Failed to connect to 1.2.3.4 port 80 after 0 ms: Couldn't connect to server",
  ])('without any socket also: %s', (stderr) => {
    expect(findDenial(command({ stderr, network: 'restricted' }))?.reason).toBe('network_denied');
  });

  it('looks above the line of Python, which names no call', () => {
    const traceback = (call: string) =>
      `  File "x.py", line 232, in y\n    ${call}\n    ^^^^^\nPermissionError: [Errno 1] Operation not permitted\n`;
    const reason = (call: string) =>
      findDenial(command({ stderr: traceback(call), network: 'restricted' }))?.reason;
    expect(reason('_socket.socket.__init__(self, family, type, proto, fileno)')).toBe('network_denied');
    expect(reason('sock.connect(sa)')).toBe('network_denied');
    expect(reason('os.chown("/etc/passwd", 0, 0)')).toBe('operation_not_permitted');
  });

  it('is none where the network is open, or not known', () => {
    for (const stderr of refusals.filter((line) => !/not permitted/.test(line))) {
      expect(findDenial(command({ stderr, network: 'enabled' }))).toBeUndefined();
      expect(findDenial(command({ stderr }))).toBeUndefined();
    }
  });

  it.each([
    'curl: (7) Failed to connect to localhost port 1 after 0 ms: Connection refused',
    'Error: connect ECONNREFUSED 127.0.0.1:1',
    'FAIL src/resolve-host.test.ts',
    'expected "network" to be "offline"',
    'error TS2304: Cannot find name EAI_AGAINST.',
    'Unable to resolve dependency tree',
    'connection timed out',
  ])('is not: %s', (stderr) => {
    expect(findDenial(command({ stderr, network: 'loopback' }))).toBeUndefined();
    if (!/curl/.test(stderr)) expect(findDenial(command({ stderr, network: 'restricted' }))).toBeUndefined();
  });
});
