// Frames of the shapes that real peers exchange, checked in both directions.
import { describe, expect, it } from 'vitest';
import { NOTIFICATIONS } from '../test-support/notification-frames.js';
import { OBSERVE_NOTIFICATIONS, OBSERVE_REQUESTS } from '../test-support/observe-frames.js';
import { isClientRequest, isMethod, METHODS } from './methods.js';
import { validateNotification, validateResult } from './validate-messages.js';
import { validateParams } from './validate-params.js';
import { parseMessage } from './wire/parse-message.js';

const sandbox = {
  permissions: {
    type: 'managed',
    file_system: {
      type: 'restricted',
      entries: [
        { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
        { path: { type: 'special', value: { kind: 'project_roots' } }, access: 'write' },
        { path: { type: 'special', value: { kind: 'slash_tmp' } }, access: 'write' },
        {
          path: { type: 'special', value: { kind: 'project_roots', subpath: '.git' } },
          access: 'read',
          missing_path_behavior: 'skip',
        },
      ],
    },
    network: 'restricted',
  },
  cwd: 'file:///ws',
  policyContext: { cwd: 'file:///ws', workspaceRoots: ['file:///ws'] },
  workspaceRoots: ['file:///ws'],
  userHomeDir: 'file:///home/me',
  windowsSandboxLevel: 'disabled',
  windowsSandboxProxySettingsMode: 'reconcile',
  useLegacyLandlock: false,
};

const startParams = {
  processId: '1-6d0e',
  metadata: { threadId: 't', toolCallId: 'c' },
  argv: ['/bin/bash', '-lc', 'ls'],
  cwd: 'file:///ws',
  envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: ['A'], set: {}, includeOnly: [] },
  env: { TERM: 'dumb' },
  tty: false,
  pipeStdin: false,
  arg0: null,
  sandbox,
  enforceManagedNetwork: false,
  managedNetwork: null,
};

const environmentInfo = {
  shell: { name: 'bash', path: '/bin/bash' },
  executorVersion: '0.1.0',
  providerId: 'sha256:00',
  cwd: 'file:///ws',
  userHomeDir: 'file:///home/me',
  platformOs: 'linux',
  prependPathDirs: [],
  temporaryDirectories: [],
  tempDir: 'file:///tmp',
  capabilities: { networkProxyLaunch: true, notYetInvented: true },
};

const readResult = { chunks: [], nextSeq: 1, exited: false, exitCode: null, closed: false, failure: null };
const metadata = {
  isDirectory: false,
  isFile: true,
  isSymlink: false,
  size: 1,
  createdAtMs: 0,
  modifiedAtMs: -1,
};
const walk = {
  entries: [{ path: 'file:///a/b', kind: 'file' }],
  errors: [{ path: 'file:///a/c', message: 'gone' }],
  truncated: false,
};
const walkOptions = { maxDepth: 6, maxDirectories: 2000, maxEntries: 20_000, followDirectorySymlinks: true };

/** Method, params, result. */
const REQUESTS: [method: string, params: unknown, result: unknown][] = [
  ['initialize', { clientName: 'c', resumeSessionId: null }, { sessionId: 's', environmentInfo }],
  ['initialize', { clientName: 'c', sessionTtlMs: 5, lifecycleNotifications: true }, { sessionId: 's' }],
  ['environment/info', null, environmentInfo],
  ['environment/info', null, { shell: { name: 'sh', path: '/bin/sh' } }],
  ['environment/status', null, { status: 'ready' }],
  ['process/start', startParams, { processId: '1-6d0e', sandboxType: 'linuxSeccomp' }],
  [
    'process/start',
    { processId: 'p', argv: ['a'], cwd: '/w', env: {}, tty: true, arg0: null },
    { processId: 'p' },
  ],
  ['process/read', { processId: 'p', afterSeq: null, maxBytes: 65_536, waitMs: 1000 }, readResult],
  [
    'process/read',
    { processId: 'p' },
    { ...readResult, sandboxDenied: true, omitted: { fromSeq: 1, toSeq: 2, bytes: 3 } },
  ],
  ['process/write', { processId: 'p', chunk: 'aGVsbG8K', writeId: 'w' }, { status: 'accepted' }],
  ['process/write', { processId: 'p', chunk: 'aGVsbG8K' }, { status: 'stdinClosed' }],
  ['process/closeStdin', { processId: 'p' }, {}],
  ['process/resize', { processId: 'p', rows: 24, cols: 80 }, {}],
  ['process/signal', { processId: 'p', signal: 'interrupt' }, {}],
  ['process/signal', { processId: 'p', signal: 'SIGTERM' }, {}],
  ['process/terminate', { processId: 'p', mode: { type: 'graceful', timeoutMs: 100 } }, { running: true }],
  [
    'process/wait',
    { processId: 'p', timeoutMs: 1, until: 'closed' },
    { exited: true, exitCode: 137, closed: true, sandboxDenied: false, timedOut: false },
  ],
  [
    'process/snapshot',
    { processId: 'p' },
    {
      stdout: '',
      stderr: '',
      terminal: 'YQ==',
      truncated: false,
      omittedBytes: 0,
      exitCode: null,
      running: true,
    },
  ],
  [
    'process/list',
    null,
    {
      processes: [
        { processId: 'p', argv: ['a'], cwd: '/w', tty: false, state: 'running', exitCode: null, nextSeq: 1 },
      ],
    },
  ],
  ['fs/readFile', { path: 'file:///f', sandbox: null }, { dataBase64: 'YQ==' }],
  [
    'fs/writeFile',
    { path: '/f', dataBase64: 'YQ==', atomic: true, append: false, exclusive: null, mode: 0o600, sandbox },
    {},
  ],
  ['fs/open', { handleId: 'h', path: '/f', mode: 'replace' }, { handleId: 'h' }],
  ['fs/readBlock', { handleId: 'h', offset: 0, len: 1 }, { chunk: '', eof: true }],
  ['fs/writeBlock', { handleId: 'h', offset: 0, chunk: '' }, {}],
  ['fs/close', { handleId: 'h' }, {}],
  ['fs/createDirectory', { path: 'file:///d', recursive: true, sandbox }, {}],
  ['fs/getMetadata', { path: 'file:///f', sandbox: null }, metadata],
  ['fs/canonicalize', { path: 'file:///f', sandbox: null }, { path: 'file:///f' }],
  ['fs/readDirectory', { path: '/d' }, { entries: [{ fileName: 'f', isDirectory: false, isFile: true }] }],
  ['fs/walk', { path: '/d', options: { ...walkOptions, pruneHiddenDirectories: true } }, walk],
  ['fs/remove', { path: '/f', recursive: null, force: null }, {}],
  ['fs/copy', { sourcePath: '/a', destinationPath: '/b', recursive: false }, {}],
  ['fs/rename', { sourcePath: '/a', destinationPath: '/b', overwrite: false }, {}],
  [
    'fs/writeTree',
    { path: '/d', entries: [{ path: 'f', kind: 'file', mode: 0o600, length: 1 }], dataBase64: 'eA==' },
    {},
  ],
  [
    'fs/readTree',
    { path: '/d', exclude: ['*.o'], after: { path: 'f', offset: 0 } },
    { entries: [], skipped: [{ path: 'p', why: 'notAFile' }], next: null, dataBase64: '' },
  ],
  ['fs/watch', { watchId: 'w', path: '/d', recursive: true }, { watchId: 'w' }],
  ['fs/unwatch', { watchId: 'w' }, {}],
  ['fs/watchMissing', { watchId: 1, missing: ['file:///d/f'], present: 'file:///d' }, { watching: true }],
  [
    'environmentConfig/read',
    { cwd: 'file:///ws', configPaths: [['mcp_servers']], requirementsPaths: [['mcp_servers']] },
    {
      userHomeDir: 'file:///home/me',
      codexHomeDir: 'file:///home/me/.codex',
      hostname: 'box',
      config: {
        layers: [{ source: 'user (/c)', baseDir: 'file:///c', toml: 'a = 1\n' }],
        cloudInsertionIndex: 0,
      },
      requirements: { layers: [], cloudInsertionIndex: 0 },
    },
  ],
  [
    'capabilities/discoverV2',
    { cwd: 'file:///w', sandbox: null },
    {
      plugins: [
        {
          id: 'p@m',
          displayName: 'P',
          remotePluginId: null,
          version: '1.0.0',
          root: 'file:///p',
          files: {
            manifest: { path: 'file:///p/.codex-plugin/plugin.json', contents: '{}' },
            mcpConfig: null,
            appsConfig: null,
          },
          skills: [],
        },
      ],
      skills: [
        {
          name: 's',
          description: 'd',
          shortDescription: null,
          path: 'file:///s/SKILL.md',
          discoveryRoot: { id: 'user-agent-skills', path: 'file:///s' },
          dependencies: {
            tools: [
              {
                type: 'mcp',
                value: 'v',
                description: null,
                transport: null,
                command: null,
                url: null,
                oauthCallbackPort: 99,
              },
            ],
          },
          policy: { allowImplicitInvocation: false, products: ['codex'] },
        },
      ],
      warnings: [],
    },
  ],
  [
    'capabilityRoots/discoverV1',
    { roots: [{ id: 'r', path: 'file:///p', sandbox: null }] },
    {
      roots: [
        {
          id: 'r',
          path: 'file:///p',
          plugin: {
            manifest: { path: 'file:///p/.codex-plugin/plugin.json', contents: '{}' },
            mcpConfig: null,
            appsConfig: null,
          },
          skills: [{ instructions: { path: 'file:///p/SKILL.md', contents: 'x' }, metadata: null }],
          namespaceManifests: [],
          warnings: [],
          error: null,
        },
      ],
    },
  ],
  [
    'http/request',
    {
      method: 'POST',
      url: 'https://example.com/mcp',
      headers: [{ name: 'authorization', value: 'Bearer ', valueEnvVar: 'TOKEN' }],
      bodyBase64: 'YQ==',
      timeoutMs: null,
      redirectPolicy: 'stop',
      requestId: 'http-1',
      streamResponse: true,
    },
    { status: 200, headers: [{ name: 'content-type', value: 'text/event-stream' }], bodyBase64: '' },
  ],
];

describe('requests and their results', () => {
  it.each([...REQUESTS, ...OBSERVE_REQUESTS])('%s %j', (method, params, result) => {
    const message = parseMessage(JSON.stringify({ id: 1, method, params }));
    expect(message).toEqual({ kind: 'request', id: 1, method, params });
    if (!isClientRequest(method)) throw new TypeError(`${method} is no client request`);
    expect(validateParams(method, params)).toEqual({ ok: true });
    expect(validateResult(method, result)).toEqual({ ok: true });
  });

  it('cover every method', () => {
    const requests = [...REQUESTS, ...OBSERVE_REQUESTS];
    const frames = [...requests, ...NOTIFICATIONS, ...OBSERVE_NOTIFICATIONS];
    const covered = new Set(frames.map(([method]) => method));
    expect([...covered, 'initialized', 'observe/ack'].sort()).toEqual(Object.keys(METHODS).sort());
  });
});

describe('notifications', () => {
  it.each([...NOTIFICATIONS, ...OBSERVE_NOTIFICATIONS])('%s', (method, params) => {
    if (!isMethod(method) || METHODS[method].direction !== 'serverToClient') throw new TypeError(method);
    expect(validateNotification(method as 'process/output', params)).toEqual({ ok: true });
  });

  it('come from observers too', () => {
    expect(validateParams('observe/ack', { watch: 'w', seq: 5 })).toEqual({ ok: true });
    expect(validateParams('observe/ack', { watch: 'w' })).toMatchObject({ ok: false });
  });

  it('are refused when a member is missing or wrong', () => {
    const output = { processId: 'p', seq: 1, stream: 'pty', chunk: '' };
    expect(validateNotification('process/output', { ...output, stream: 'x' })).toEqual({
      ok: false,
      message: 'unknown variant `x`, expected one of `stdout`, `stderr`, `pty`',
    });
    expect(validateNotification('process/closed', { processId: 'p' })).toEqual({
      ok: false,
      message: 'missing field `seq`',
    });
  });
});

it('results are refused when they are not what the method promises', () => {
  expect(validateResult('process/write', { status: 'maybe' }).ok).toBe(false);
  expect(validateResult('process/start', { processId: 'p', sandboxType: 'new' }).ok).toBe(false);
  expect(validateResult('process/read', { ...readResult, chunks: [{ seq: 1 }] })).toEqual({
    ok: false,
    message: 'missing field `stream`',
  });
  expect(validateResult('fs/getMetadata', null).ok).toBe(false);
});
