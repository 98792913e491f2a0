import { describe, expect, it } from 'vitest';
import type { Method } from './methods.js';
import { validateParams } from './validate-params.js';

const message = (method: Method, value: unknown) => {
  const result = validateParams(method, value);
  return result.ok ? 'ok' : result.message;
};

const direct = { processId: 'p', argv: ['true'], cwd: 'file:///tmp', env: {}, tty: false };
const start = (extra: object) => message('process/start', { ...direct, ...extra });
const profile = (permissions: unknown) => message('fs/readFile', { path: '/f', sandbox: { permissions } });
const managed = (file_system: unknown) => profile({ type: 'managed', network: 'restricted', file_system });
const entry = (value: unknown) => managed({ type: 'restricted', entries: [value] });

describe('messages are worded as upstream words them', () => {
  it.each<[Method, unknown, string]>([
    ['initialize', undefined, 'invalid type: null, expected struct InitializeParams'],
    ['initialize', null, 'invalid type: null, expected struct InitializeParams'],
    ['initialize', 5, 'invalid type: number, expected struct InitializeParams'],
    ['initialize', 'x', 'invalid type: string "x", expected struct InitializeParams'],
    ['initialize', {}, 'missing field `clientName`'],
    ['initialize', { clientName: 5 }, 'invalid type: number, expected a string'],
    ['initialize', { clientName: null }, 'invalid type: null, expected a string'],
    ['process/start', {}, 'missing field `processId`'],
    ['process/start', { processId: 'a' }, 'missing field `argv`'],
    ['process/start', { processId: 'a', argv: 'x' }, 'invalid type: string "x", expected a sequence'],
    ['process/start', { processId: 'a', argv: [1] }, 'invalid type: number, expected a string'],
    ['process/start', { ...direct, env: [] }, 'invalid type: sequence, expected a map'],
    ['process/start', { ...direct, env: { A: 1 } }, 'invalid type: number, expected a string'],
    ['process/start', { ...direct, tty: 'no' }, 'invalid type: string "no", expected a boolean'],
    ['process/start', { ...direct, tty: null }, 'invalid type: null, expected a boolean'],
    ['process/start', { ...direct, envPolicy: {} }, 'missing field `inherit`'],
    ['process/start', { ...direct, envPolicy: 5 }, 'invalid type: number, expected struct EnvPolicy'],
    ['process/start', { ...direct, metadata: 5 }, 'invalid type: number, expected struct ExecMetadata'],
    ['process/start', { ...direct, shellSnapshot: {} }, 'missing field `scopeId`'],
    ['process/read', { processId: 'p', afterSeq: -1 }, 'invalid number'],
    ['process/read', { processId: 'p', afterSeq: 1.5 }, 'invalid number'],
    ['fs/readBlock', { handleId: 'h', offset: 2 ** 53, len: 1 }, 'invalid number'],
    ['process/read', { processId: 'p', afterSeq: '1' }, 'invalid type: string "1", expected u64'],
    ['process/read', { processId: 'p', afterSeq: true }, 'invalid type: boolean `true`, expected u64'],
    ['process/read', { processId: ['p'] }, 'invalid type: sequence, expected a string'],
    ['process/read', { processId: {} }, 'invalid type: map, expected a string'],
    ['process/write', { processId: 'p' }, 'missing field `chunk`'],
    ['process/resize', { processId: 'p', rows: 70_000, cols: 1 }, 'invalid number'],
    ['process/resize', { processId: 'p', rows: '1', cols: 1 }, 'invalid type: string "1", expected u16'],
    ['process/terminate', { processId: 'p', mode: {} }, 'missing field `type`'],
    ['process/terminate', { processId: 'p', mode: { type: 'graceful' } }, 'missing field `timeoutMs`'],
    [
      'process/terminate',
      { processId: 'p', mode: { type: 'x' } },
      'unknown variant `x`, expected one of `graceful`, `force`, `tree`',
    ],
    ['fs/readBlock', { handleId: 'h', offset: 0, len: -1 }, 'invalid number'],
    ['fs/writeBlock', { handleId: 'h', offset: 0 }, 'missing field `chunk`'],
    [
      'fs/open',
      { handleId: 'h', path: '/f', mode: 'x' },
      'unknown variant `x`, expected `read` or `replace`',
    ],
    ['fs/copy', { sourcePath: '/a', destinationPath: '/b' }, 'missing field `recursive`'],
    ['fs/walk', { path: '/a' }, 'missing field `options`'],
    ['fs/walk', { path: '/a', options: 5 }, 'invalid type: number, expected struct WalkOptions'],
    ['fs/readFile', { path: '/f', sandbox: 5 }, 'invalid type: number, expected struct SandboxContext'],
  ])('%s %j', (method, value, expected) => {
    expect(message(method, value)).toBe(expected);
  });

  it('names every variant of an enumeration', () => {
    const envPolicy = { inherit: 'x', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
    expect(start({ envPolicy })).toBe('unknown variant `x`, expected one of `core`, `all`, `none`');
    expect(message('process/signal', { processId: 'p', signal: 'kill' })).toMatch(
      /^unknown variant `kill`, expected one of `interrupt`, `SIGHUP`/,
    );
  });

  it('does not send a payload of megabytes back', () => {
    const text = message('process/read', { processId: 'p', afterSeq: 'x'.repeat(10_000_000) });
    expect(text.length).toBeLessThan(200);
  });
});

describe('empty params', () => {
  it.each([undefined, null, {}])('%j will do where none are taken', (value) => {
    expect(message('environment/info', value)).toBe('ok');
    expect(message('process/list', value)).toBe('ok');
  });

  it.each([
    [[], 'invalid type: sequence, expected unit'],
    [{ a: 1 }, 'invalid type: map, expected unit'],
    [5, 'invalid type: number, expected unit'],
    [false, 'invalid type: boolean `false`, expected unit'],
  ])('%j will not', (value, expected) => {
    expect(message('environment/status', value)).toBe(expected);
  });

  it('of initialized may be anything', () => {
    for (const value of [undefined, null, {}, [], 5]) expect(message('initialized', value)).toBe('ok');
  });

  it('cannot be positional', () => {
    expect(message('process/terminate', ['p'])).toBe(
      'invalid type: sequence, expected struct ProcessTerminateParams',
    );
  });
});

describe('leniency', () => {
  it('null is the same as missing for an optional member', () => {
    const nothing = { rows: null, pipeStdin: null, io: null, arg0: null, metadata: null, envPolicy: null };
    expect(start({ ...nothing, sandbox: null, shellSnapshot: null, networkProxy: null })).toBe('ok');
    expect(message('process/read', { processId: 'p', afterSeq: null, maxBytes: null, waitMs: null })).toBe(
      'ok',
    );
    expect(message('process/terminate', { processId: 'p', mode: null })).toBe('ok');
    expect(message('fs/open', { handleId: 'h', path: '/f', mode: null })).toBe('ok');
  });

  it('unknown members are ignored', () => {
    expect(start({ surprise: 1, metadata: { surprise: 1 } })).toBe('ok');
    expect(
      message('fs/readFile', { path: '/f', sandbox: { permissions: { type: 'disabled' }, surprise: 1 } }),
    ).toBe('ok');
  });

  it('but a member named like an Object method is no value', () => {
    expect(message('process/read', JSON.parse('{"__proto__":{"processId":"p"}}'))).toBe(
      'missing field `processId`',
    );
  });
});

describe('process/start', () => {
  const prepared = {
    kind: 'prepared',
    processId: 'p',
    request: { argv: ['true'], cwd: '/tmp', env: {} },
    io: { type: 'pipe', stdin: 'open' },
  };

  it('takes the flat, the direct and the prepared form', () => {
    expect(start({})).toBe('ok');
    expect(start({ kind: 'direct' })).toBe('ok');
    expect(message('process/start', prepared)).toBe('ok');
    expect(start({ kind: 'x' })).toBe('unknown variant `x`, expected `direct` or `prepared`');
    expect(start({ kind: null })).toBe('invalid type: null, expected a string');
  });

  it('takes tty, io, both or neither, and refuses a contradiction', () => {
    const { tty: _, ...withoutTty } = direct;
    expect(message('process/start', withoutTty)).toBe('ok');
    expect(message('process/start', { ...withoutTty, io: { type: 'pty', rows: 24, cols: 80 } })).toBe('ok');
    expect(start({ tty: true, io: { type: 'pty', rows: 24, cols: 80 } })).toBe('ok');
    expect(start({ tty: true, io: { type: 'pipe', stdin: 'open' } })).toBe('`tty` contradicts `io`');
    expect(start({ pipeStdin: true, io: { type: 'pipe', stdin: 'closed' } })).toBe(
      '`pipeStdin` contradicts `io`',
    );
    expect(start({ io: { type: 'pty' } })).toBe('missing field `rows`');
    expect(start({ io: { type: 'x' } })).toBe('unknown variant `x`, expected `pty` or `pipe`');
  });

  it('refuses a restriction beside a prepared request, because nothing would enforce it', () => {
    const sandbox = { permissions: { type: 'disabled' } };
    expect(message('process/start', { ...prepared, sandbox })).toBe(
      '`sandbox` cannot be combined with a prepared request',
    );
    expect(message('process/start', { ...prepared, sandbox: null })).toBe('ok');
  });

  it('checks a variable whose name holds a line break like any other', () => {
    expect(start({ env: { 'A\nB': 5 } })).toBe('invalid type: number, expected a string');
  });
});

describe('sandbox permissions are closed', () => {
  it.each([
    [{ type: 'disabled' }],
    [{ type: 'external', network: 'enabled' }],
    [{ type: 'managed', network: 'restricted', file_system: { type: 'unrestricted' } }],
    [{ type: 'danger-full-access' }],
    [{ type: 'read-only', network_access: true }],
    [{ type: 'external-sandbox', network_access: 'restricted' }],
    [
      {
        type: 'workspace-write',
        writable_roots: ['/w'],
        network_access: false,
        exclude_tmpdir_env_var: true,
      },
    ],
    [{ type: 'workspaceWrite', writableRoots: ['/w'], networkAccess: false, excludeSlashTmp: null }],
  ])('accepts %j', (permissions) => {
    expect(profile(permissions)).toBe('ok');
  });

  it.each([
    [{ type: 'disabled', zz: 1 }, 'unknown field `zz`'],
    [{ type: 'read-only', writable_roots: [] }, 'unknown field `writable_roots`'],
    [{ type: 'workspaceWrite', writable_roots: [] }, 'unknown field `writable_roots`'],
    [{ type: 'external' }, 'missing field `network`'],
    [{ type: 'external', network: 'x' }, 'unknown variant `x`, expected `restricted` or `enabled`'],
    [{ type: 'managed', network: 'restricted' }, 'missing field `file_system`'],
    [{}, 'missing field `type`'],
    [{ type: 5 }, 'invalid type: number, expected a string'],
    [null, 'invalid type: null, expected struct PermissionProfile'],
    ['disabled', 'invalid type: string "disabled", expected struct PermissionProfile'],
  ])('refuses %j', (permissions, expected) => {
    expect(profile(permissions)).toBe(expected);
  });

  it('refuses an unknown tag', () => {
    expect(profile({ type: 'x' })).toMatch(
      /^unknown variant `x`, expected one of `managed`, `disabled`, `external`/,
    );
  });

  it('accepts every kind of entry', () => {
    for (const path of [
      { type: 'path', path: 'file:///w' },
      { type: 'glob_pattern', pattern: '/w/**/*.env' },
      { type: 'special', value: { kind: 'root' } },
      { type: 'special', value: { kind: 'project_roots', subpath: '.git' } },
      { type: 'special', value: { kind: 'unknown', path: ':new', subpath: null } },
    ]) {
      expect(entry({ path, access: 'read', missing_path_behavior: 'skip' })).toBe('ok');
    }
  });

  it.each([
    [{}, 'missing field `path`'],
    [{ path: { type: 'path', path: '/w' } }, 'missing field `access`'],
    [
      { path: { type: 'path', path: '/w' }, access: 'x' },
      'unknown variant `x`, expected one of `read`, `write`, `deny`, `none`',
    ],
    [{ path: { type: 'path', path: '/w' }, access: 'read', only: 1 }, 'unknown field `only`'],
    [{ path: { type: 'path', path: '/w', only: 1 }, access: 'read' }, 'unknown field `only`'],
    [{ path: { type: 'x' } }, 'unknown variant `x`, expected one of `path`, `glob_pattern`, `special`'],
    [
      { path: { type: 'special', value: { kind: 'root', subpath: 'a' } }, access: 'read' },
      'unknown field `subpath`',
    ],
    [
      { path: { type: 'special', value: 'root' }, access: 'read' },
      'invalid type: string "root", expected struct SpecialPath',
    ],
    [
      { path: { type: 'path', path: '/w' }, access: 'read', missing_path_behavior: 'x' },
      'unknown variant `x`, expected `skip`',
    ],
  ])('refuses the entry %j', (value, expected) => {
    expect(entry(value)).toBe(expected);
  });

  it('refuses an unknown member or number of the policy itself', () => {
    expect(managed({ type: 'restricted', entries: [], only: 1 })).toBe('unknown field `only`');
    expect(managed({ type: 'unrestricted', entries: [] })).toBe('unknown field `entries`');
    expect(managed({ type: 'restricted', entries: [], glob_scan_max_depth: 0 })).toBe(
      'invalid value: integer `0`, expected a nonzero usize',
    );
  });

  it('needs exactly one policy, in either place', () => {
    const read = (sandbox: object) => message('fs/readFile', { path: '/f', sandbox });
    expect(read({})).toBe('missing field `permissions`');
    expect(read({ sandboxPolicy: { type: 'read-only' } })).toBe('ok');
    expect(read({ sandboxPolicy: { type: 'disabled' } })).toMatch(/^unknown variant `disabled`/);
    expect(read({ sandboxPolicy: { type: 'read-only' }, permissions: { type: 'disabled' } })).toBe(
      '`permissions` and `sandboxPolicy` exclude each other',
    );
    expect(start({ sandbox: {} })).toBe('missing field `permissions`');
  });

  it('refuses a policy in a place where nothing would enforce it', () => {
    const policy = { type: 'read-only' };
    expect(message('fs/readFile', { path: '/f', sandboxPolicy: policy })).toBe(
      '`sandboxPolicy` stands inside `sandbox`, not beside it',
    );
    expect(start({ sandboxPolicy: policy })).toBe('`sandboxPolicy` stands inside `sandbox`, not beside it');
    expect(
      start({ sandbox: { sandboxPolicy: policy, fileSystemSandboxPolicy: { kind: 'restricted' } } }),
    ).toBe('`fileSystemSandboxPolicy` is not supported: state the policy as `permissions`');
  });
});

it('refuses to judge what clients do not send', () => {
  expect(message('process/output', {})).toBe('`process/output` is not sent by clients');
});
