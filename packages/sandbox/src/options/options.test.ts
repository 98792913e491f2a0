import { describe, expect, it } from 'vitest';
import { SandboxError } from '../errors.js';
import { describePolicy } from '../policy/describe-policy.js';
import { extendPolicy, fullAccess, readOnly, workspaceWrite } from '../policy/policy-constructors.js';
import { prepareSandbox } from '../prepare-sandbox.js';
import { runSandboxed } from '../run/run-sandboxed.js';

/** What JavaScript does with a function: it gives it anything. */
const untyped = (call: unknown): ((...args: unknown[]) => unknown) => call as (...args: unknown[]) => unknown;
const refused = (message: string) => expect.objectContaining({ code: 'SANDBOX_POLICY_INVALID', message });
const restricted = (entries: unknown) => ({
  fileSystem: { type: 'restricted', entries },
  network: 'restricted',
});

describe('policy constructors refuse', () => {
  it.each<[unknown, unknown, string]>([
    [workspaceWrite, { denied: ['/etc'] }, 'workspaceWrite has no option `denied`; did you mean `deny`?'],
    [workspaceWrite, { denied: undefined }, 'workspaceWrite has no option `denied`; did you mean `deny`?'],
    [
      workspaceWrite,
      { netwrok: 'enabled' },
      'workspaceWrite has no option `netwrok`; did you mean `network`?',
    ],
    [
      workspaceWrite,
      { writableRoots: '/etc' },
      'workspaceWrite has no option `writableRoots`; did you mean `roots`?',
    ],
    [workspaceWrite, { quux: 1 }, 'workspaceWrite has no option `quux`'],
    [
      workspaceWrite,
      { deny: '/etc/passwd' },
      "workspaceWrite: `deny` is a list of strings; did you mean ['/etc/passwd']?",
    ],
    [
      workspaceWrite,
      { roots: [undefined] },
      'workspaceWrite: `roots` is a list of strings; undefined is none',
    ],
    [
      workspaceWrite,
      { temporaryDirectories: 'no' },
      "workspaceWrite: `temporaryDirectories` is true or false, not 'no'",
    ],
    [workspaceWrite, ['/etc'], 'workspaceWrite takes an object with options, not a list'],
    [
      readOnly,
      { network: 'off' },
      "readOnly: `network` is one of restricted, loopback, enabled, not 'off'; did you mean 'restricted'?",
    ],
    [
      readOnly,
      { network: true },
      "readOnly: `network` is one of restricted, loopback, enabled, not true; did you mean 'enabled'?",
    ],
    [readOnly, { roots: ['/x'] }, 'readOnly has no option `roots`'],
    [readOnly, null, 'readOnly takes an object with options, not null'],
    [fullAccess, { network: 'restricted' }, 'fullAccess has no option `network`'],
  ])('%o %j', (construct, options, message) => {
    expect(() => untyped(construct)(options)).toThrow(refused(message));
  });

  it('nothing that is right', () => {
    const everything = {
      network: 'enabled',
      unixSockets: 'host',
      sockets: ['/run/x.sock'],
      deny: ['/etc/shadow'],
    } as const;
    readOnly(everything);
    workspaceWrite({ ...everything, roots: ['/x'], temporaryDirectories: false, allowCommitsIn: [] });
    untyped(workspaceWrite)({ deny: undefined });
  });
});

describe('policies made by hand', () => {
  const entry = (more: object) => [{ path: { type: 'path', path: '/etc' }, access: 'deny', ...more }];
  it.each<[unknown, string]>([
    [undefined, 'the policy takes an object with options, not undefined'],
    [
      readOnly,
      'a policy is an object, not a function; readOnly(), workspaceWrite() or fullAccess() make one',
    ],
    [{ fileSystem: { type: 'unrestricted' } }, 'the policy needs the option `network`'],
    [
      { ...restricted([]), netwrok: 'restricted' },
      'the policy has no option `netwrok`; did you mean `network`?',
    ],
    [
      restricted(entry({ acess: 'deny' })),
      'the policy: `fileSystem` is not right: the file system: `entries` is not right: entry 0 has no option `acess`; did you mean `access`?',
    ],
    [
      restricted([{ path: '/etc', access: 'deny' }]),
      "the policy: `fileSystem` is not right: the file system: `entries` is not right: entry 0: `path` is an object; did you mean { type: 'path', path: '/etc' }?",
    ],
  ])('%j', (policy, message) => {
    const context = { cwd: '/ws', workspaceRoots: ['/ws'] };
    expect(() => untyped(describePolicy)(policy, context)).toThrow(refused(message));
  });

  it('are extended with entries only', () => {
    expect(() => untyped(extendPolicy)(readOnly(), [{ path: '/etc', access: 'deny' }])).toThrow(SandboxError);
    expect(() => untyped(extendPolicy)(readOnly(), { deny: ['/etc'] })).toThrow(
      refused('extendPolicy: `entries` is a list of entries, not an object'),
    );
    expect(() => untyped(extendPolicy)('read-only', [])).toThrow(SandboxError);
  });
});

describe('requests', () => {
  const command = { argv: ['true'], cwd: '/', policy: readOnly() };
  it.each<[object, string]>([
    [{ ...command, timeout: 5 }, 'runSandboxed has no option `timeout`; did you mean `timeoutMs`?'],
    [{ ...command, deny: ['/etc'] }, 'runSandboxed has no option `deny`; did you mean `alwaysDeny`?'],
    [{ ...command, terminal: true }, 'runSandboxed has no option `terminal`'],
    [{ ...command, argv: 'ls' }, "runSandboxed: `argv` is a list of words; did you mean ['sh', '-c', 'ls']?"],
    [{ argv: ['ls'], cwd: '/' }, 'runSandboxed needs the option `policy`'],
    [{ argv: ['ls'], policy: readOnly() }, 'runSandboxed needs the option `cwd`'],
    [{ ...command, env: { A: 1 } }, 'runSandboxed: `env` has A: a value is a string, not 1'],
    [
      { ...command, alwaysDeny: '/etc' },
      "runSandboxed: `alwaysDeny` is a list of strings; did you mean ['/etc']?",
    ],
    [
      { ...command, context: { workspaceRoot: ['/'] } },
      'the context has no option `workspaceRoot`; did you mean `workspaceRoots`?',
    ],
    [
      { ...command, accept: ['host-prok'] },
      "runSandboxed: `accept` has 'host-prok', which is none of host-proc, unprotected-metadata, host-signals, root-capabilities, host-attributes, hidden-attributes, host-sockets",
    ],
    [{ ...command, timeoutMs: -1 }, 'runSandboxed: `timeoutMs` is a time in milliseconds, 0 or more, not -1'],
  ])('runSandboxed %j', async (request, message) => {
    await expect(untyped(runSandboxed)(request)).rejects.toThrow(refused(message));
  });

  it.each<[unknown[], string]>([
    [[command], 'prepareSandbox needs the option `env`'],
    [[{ ...command, env: {}, timeoutMs: 5 }], 'prepareSandbox has no option `timeoutMs`'],
    [[{ ...command, env: {} }, { hosts: {} }], 'prepareSandbox has no option `hosts`; did you mean `host`?'],
    [
      [{ ...command, env: {}, policy: 'read-only' }],
      "a policy is an object, not 'read-only'; readOnly(), workspaceWrite() or fullAccess() make one",
    ],
    [[undefined], 'prepareSandbox takes an object with options, not undefined'],
  ])('prepareSandbox %j', async (args, message) => {
    await expect(untyped(prepareSandbox)(...args)).rejects.toThrow(refused(message));
  });
});
