// Frames of observers, journal, control and approvals.

const process = {
  processId: 'p',
  pid: 7,
  argv: ['bash'],
  cwd: '/ws',
  tty: true,
  state: 'exited',
  exitCode: 1,
  startedAtMs: 1000,
  nextSeq: 4,
  firstSeq: 1,
  rows: 24,
  cols: 80,
  sandboxType: 'linuxSeccomp',
  sandboxDenied: true,
  denial: { reason: 'permission_denied', line: 'sh: /etc/x: Permission denied', path: '/etc/x' },
  endedAtMs: 2000,
  stalled: false,
  alive: true,
  metadata: { threadId: 't', toolCallId: null },
};

const target = { session: 's-1', processId: 'p' };
const size = { seq: 1, atMs: 1000, rows: 24, cols: 80 };
const outcome = { decision: 'allow', decided: true, by: 'local:1000', note: 'fine' };
const approval = {
  session: 's-1',
  approval: 'a',
  title: 'Run npm publish?',
  argv: ['npm', 'publish'],
  cwd: '/ws',
  reason: 'needs the network',
  sentences: ['Network: the network of this host.'],
  choices: [{ id: 'allow', label: 'Allow' }],
  askedAtMs: 1,
  expiresAtMs: 2,
  outcome,
};
const journalEvents = [
  { kind: 'sessionOpened', seq: 1, atMs: 1, session: 's-1', clientName: 'me', identity: 'local:1000' },
  { kind: 'connectionRefused', seq: 2, atMs: 1, reason: 'origin', remoteAddress: null },
  { kind: 'processExited', seq: 3, atMs: 2, ...target, exitCode: 0, durationMs: 5, sandboxDenied: false },
];

export const OBSERVE_REQUESTS: [method: string, params: unknown, result: unknown][] = [
  [
    'initialize',
    { clientName: 'console', role: 'observer' },
    { sessionId: '', grants: ['observe', 'stop'], reconnectToken: 'r' },
  ],
  [
    'sessions/list',
    null,
    {
      sessions: [
        {
          session: 's-1',
          clientName: 'codex-tui',
          identity: 'local:1000',
          state: 'away',
          openedAtMs: 1,
          sinceMs: 2,
          expiresAtMs: 3,
          processes: 2,
          running: 1,
          stalled: 0,
          observers: 1,
        },
      ],
    },
  ],
  ['observe/processes', { session: 's-1' }, { processes: [{ session: 's-1', process }], omitted: 0 }],
  [
    'observe/open',
    { ...target, watch: 'w', fromSeq: 1, mode: 'complete', windowBytes: 65_536 },
    {
      process,
      fromSeq: 3,
      firstSeq: 3,
      nextSeq: 9,
      windowBytes: 65_536,
      size,
      omitted: { fromSeq: 1, toSeq: 2, bytes: 10 },
    },
  ],
  ['observe/close', { watch: 'w' }, {}],
  [
    'observe/read',
    { ...target, afterSeq: 0, maxBytes: 100 },
    {
      chunks: [{ seq: 1, atMs: 5, stream: 'pty', chunk: 'YQ==' }],
      nextSeq: 2,
      firstSeq: 1,
      endSeq: 4,
      exited: true,
      exitCode: 1,
      closed: false,
      sizes: [size],
    },
  ],
  [
    'observe/tree',
    target,
    {
      known: true,
      members: [
        { pid: 7, parentPid: 6, argv: ['sleep', '9'], state: 'sleeping', cpuMs: 10, residentBytes: 4096 },
      ],
      omitted: 0,
    },
  ],
  [
    'observe/readDirectory',
    { ...target, path: '/ws' },
    { entries: [{ fileName: 'a', isDirectory: false, isFile: true }] },
  ],
  ['observe/readFile', { ...target, path: '/ws/a', offset: 0 }, { chunk: 'YQ==', size: 1, eof: true }],
  [
    'journal/read',
    { afterSeq: 0, waitMs: 1000, maxEvents: 10 },
    { events: journalEvents, nextSeq: 4, omitted: { fromSeq: 1, toSeq: 1 } },
  ],
  ['journal/subscribe', { afterSeq: 3, session: 's-1' }, { nextSeq: 4 }],
  ['journal/unsubscribe', null, {}],
  [
    'sandbox/explain',
    { ...target, path: '/etc/x' },
    {
      sandboxType: 'linuxSeccomp',
      restrictsFiles: true,
      network: 'restricted',
      sentences: ['Read: everything.'],
      nodes: [
        { path: '/', access: 'read', children: [1] },
        { path: '/ws', access: 'write', readOnlyNames: ['.git'], children: [] },
      ],
      denyGlobs: [],
      systemDirectories: false,
      denial: process.denial,
      decision: {
        path: '/etc/x',
        read: true,
        write: false,
        decidedBy: 'rule',
        rule: { path: '/', access: 'read' },
        sentence: '/ may be read, not written.',
      },
      changes: [
        {
          access: 'write',
          add: { path: { type: 'path', path: '/etc/x' }, access: 'write' },
          sentence: 'Allow writing /etc/x.',
        },
      ],
    },
  ],
  ['control/signal', { ...target, signal: 'SIGINT' }, {}],
  ['control/terminate', { ...target, mode: { type: 'graceful', timeoutMs: 1000 } }, { running: true }],
  ['control/write', { ...target, chunk: 'YQ==' }, { status: 'accepted' }],
  ['control/resize', { ...target, rows: 40, cols: 120 }, {}],
  [
    'approvals/ask',
    { id: 'a', title: 'Run npm publish?', choices: [{ id: 'allow', label: 'Allow' }], expiresInMs: 1000 },
    outcome,
  ],
  ['approvals/ask', { id: 'a', title: 'Run it?' }, { decision: 'nobody', decided: false }],
  ['approvals/withdraw', { id: 'a' }, {}],
  ['approvals/list', null, { approvals: [approval] }],
  ['approvals/decide', { session: 's-1', approval: 'a', decision: 'allow' }, { accepted: true, outcome }],
  ['console/shareTicket', null, { ticket: 't' }],
  [
    'console/createTicket',
    { grants: ['observe'], ttlMs: 60_000 },
    { ticket: 't', path: '/console/', expiresAtMs: 9, grants: ['observe'] },
  ],
];

const watched = { watch: 'w', seq: 1, atMs: 5 };

export const OBSERVE_NOTIFICATIONS: [method: string, params: unknown][] = [
  ['observe/output', { ...watched, stream: 'stdout', chunk: 'YQ==' }],
  ['observe/gap', { watch: 'w', fromSeq: 1, toSeq: 9, bytes: 1000, why: 'evicted' }],
  ['observe/resized', { ...watched, rows: 1, cols: 2 }],
  ['observe/exited', { ...watched, exitCode: 0, sandboxDenied: false }],
  ['observe/closed', watched],
  ['observe/ended', { watch: 'w', reason: 'complete' }],
  ['journal/events', { events: journalEvents }],
  ['session/observed', { observers: 2 }],
  ['session/intervention', { processId: 'p', what: 'terminate', by: 'local:1000' }],
  ['approvals/changed', { approval }],
];
