// Which package may import which: arrows point down only (see ARCHITECTURE.md).
const PACKAGES = [
  'protocol',
  'rpc',
  'listener',
  'fleet',
  'launcher',
  'sandbox',
  'files',
  'server-core',
  'client',
  'execpolicy',
  'escalation',
  'unified-exec',
  'mcp',
  'console',
  'cli',
];

const MAY_IMPORT = {
  protocol: [],
  rpc: ['protocol'],
  listener: ['protocol', 'rpc'],
  fleet: ['protocol', 'rpc'],
  launcher: ['launcher-darwin'],
  sandbox: ['protocol', 'launcher'],
  files: ['protocol', 'launcher', 'sandbox'],
  'server-core': ['protocol', 'rpc', 'sandbox', 'launcher', 'files'],
  client: ['protocol', 'rpc', 'fleet'],
  execpolicy: [],
  escalation: ['execpolicy', 'sandbox', 'launcher'],
  'unified-exec': ['client'],
  console: ['protocol'],
  mcp: ['protocol', 'rpc', 'client', 'sandbox', 'unified-exec', 'escalation'],
  cli: [
    'protocol',
    'rpc',
    'listener',
    'fleet',
    'sandbox',
    'launcher',
    'server-core',
    'client',
    'execpolicy',
  ].concat(['escalation', 'mcp']),
};

const layering = PACKAGES.map((name) => ({
  name: `${name}-imports-only-below`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: `^packages/(?!(?:${[name, ...MAY_IMPORT[name]].join('|')})/)` },
}));

const TESTS = '\\.test\\.ts$';

// The folders inside a package, from the bottom to the top: a folder imports itself and those before it, so there are no
// cycles between folders. `root` names the files directly in `src` that belong to the bottom; the others are the top.
const FOLDERS = {
  files: {
    root: [
      'bounded-parallel',
      'debug-log',
      'file-system',
      'fs-error',
      'fs-error-map',
      'fs-limits',
      'native-path',
      'path-argument',
      'small-file',
    ],
    order: ['local/calls', 'local/paths', 'local/contents', 'local/tree', 'local', 'watch', 'helper-protocol']
      .concat(['helper/guard', 'helper/watch', 'helper'])
      .concat(['sandboxed/policy', 'sandboxed/pool', 'sandboxed/calls', 'sandboxed/watch', 'sandboxed']),
  },
  cli: {
    root: [
      'exit-code',
      'leave-soon',
      'print-text',
      'program-name',
      'runtime-paths',
      'stderr-logger',
      'stop-signals',
    ],
    order: [
      'settings',
      'connect',
      'console',
      'fleet',
      'exec-server',
      'execpolicy',
      'sandbox',
      'exec-mcp-server',
    ].concat(['run', 'cp', 'observe', 'doctor', 'completion', 'mcp-server']),
  },
  console: { root: [], order: ['style', 'text', 'wire', 'log', 'terminal', 'model', 'view'] },
  escalation: {
    root: ['escalation-error', 'without-links'],
    order: ['environment', 'broker', 'shells', 'rules', 'trust', 'decide', 'audit', 'run'],
  },
  execpolicy: {
    root: ['exec-policy-error', 'limits'],
    order: ['source', 'lex', 'parse', 'resolve', 'evaluate', 'rules', 'check', 'load'],
  },
  fleet: {
    root: ['fleet-error'],
    order: ['naming', 'broker', 'tenancy', 'channel', 'inventory', 'executor', 'opener', 'gateway'],
  },
  launcher: {
    root: ['check-launch-spec', 'kill-quietly', 'launch-error', 'launch-spec', 'launched-process'].concat([
      'process-table',
      'signal-names',
    ]),
    order: ['stream', 'watch', 'portable', 'native'],
  },
  listener: {
    root: [
      'half-open-sockets',
      'http-answer',
      'http-server',
      'listen-error',
      'listener-limits',
      'presented-token',
    ],
    order: ['auth', 'gate', 'http-routes', 'admission', 'console-route', 'console'],
  },
  mcp: { root: [], order: ['server', 'shell', 'unified-exec'] },
  protocol: {
    root: ['clock', 'limits', 'method-family', 'runtime'],
    order: ['options', 'errors', 'schema', 'generated', 'wire', 'path'],
  },
  rpc: {
    root: [
      'bulk-scheduler',
      'channel',
      'clock',
      'peer-stats',
      'rpc-limits',
      'rpc-logger',
      'transport-error',
      'wire-size',
    ],
    order: ['bytes', 'stdio', 'ws'],
  },
  sandbox: {
    root: ['errors', 'inherited-descriptors', 'open-exactly'],
    order: ['options', 'policy', 'sandbox-request', 'without-aftermath', 'denial', 'linux', 'macos'].concat([
      'prepare-rules',
      'prepare-sandbox',
      'run',
      'diagnose',
    ]),
  },
  'server-core': {
    root: ['logger', 'version'],
    order: [
      'journal',
      'process',
      'session',
      'observe',
      'request-context',
      'environment',
      'environment-config',
      'http',
      'files',
      'capability',
      'handlers',
    ],
  },
  'unified-exec': {
    root: ['limits', 'tool-error'],
    order: [
      'text',
      'approval',
      'arguments',
      'tools',
      'events',
      'rules',
      'tool-output',
      'execution',
      'sessions',
    ],
  },
};

/** The path of each level as a pattern. A folder stands for what lies directly in it and in no other listed folder. */
function levelsOf(name) {
  const { root, order } = FOLDERS[name];
  const source = `^packages/${name}/src`;
  const pattern = (folder) => {
    const inner = order
      .filter((other) => other.startsWith(`${folder}/`))
      .map((other) => other.slice(folder.length + 1));
    const except = inner.length === 0 ? '' : `(?!(?:${inner.join('|')})/)`;
    return `${source}/${folder}(?:\\.ts$|/${except})`;
  };
  return [`${source}/(?:${root.join('|')})\\.(?:test\\.)?ts$`, ...order.map(pattern)];
}

const folders = Object.keys(FOLDERS).flatMap((name) => {
  const levels = levelsOf(name);
  return levels.map((level, index) => ({
    name: `${name}-folders-import-only-below-${index === 0 ? 'root' : FOLDERS[name].order[index - 1]}`,
    severity: 'error',
    from: { path: level, pathNot: TESTS },
    to: { path: `^packages/${name}/src`, pathNot: levels.slice(0, index + 1) },
  }));
});

/** What runs inside the sandbox of a file request. */
const IN_SANDBOX = [
  ...levelsOf('files').slice(0, 1),
  '^packages/files/src/(?:local|watch|helper-protocol|helper)/',
];

module.exports = {
  forbidden: [
    ...layering,
    ...folders,
    {
      name: 'helper-is-closed',
      comment:
        'Inside the sandbox runs the file system, the guard and the helper: no launcher (but the codec of its watch program), no pool, no connection.',
      severity: 'error',
      from: { path: IN_SANDBOX, pathNot: TESTS },
      to: {
        path: '^packages/',
        pathNot: [
          ...IN_SANDBOX,
          '^packages/protocol/src/index\\.ts$',
          '^packages/sandbox/src/policy/access-lookup\\.ts$',
          // Records only, which it exchanges with the program that watches inside the sandbox.
          '^packages/launcher/src/watch/watch-codec\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sandboxed-side-knows-no-helper-program',
      comment: 'The server speaks with a helper; what the helper is made of is not its business.',
      severity: 'error',
      from: { path: '^packages/files/src/sandboxed/', pathNot: TESTS },
      to: { path: '^packages/files/src/(?:helper|local)/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'packages-know-no-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|tests)/' },
    },
    {
      name: 'protocol-is-pure',
      comment: 'The protocol runs anywhere: no Node, and nothing from npm outside the schema sources.',
      severity: 'error',
      from: { path: '^packages/protocol/src', pathNot: [TESTS, '^packages/protocol/src/schema/'] },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'server-core-knows-no-socket',
      comment: 'It serves channels. What it opens itself are the requests that a client asks for.',
      severity: 'error',
      from: { path: '^packages/server-core/src', pathNot: [TESTS, '^packages/server-core/src/http/'] },
      to: {
        path: ['^packages/rpc/src/(ws|stdio)/', 'node_modules/ws/', '^(net|http|https|tls)$'],
      },
    },
    {
      name: 'mcp-sdk-has-one-importer',
      comment: 'What the rest of the project knows of MCP is our own small interface.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [TESTS, '^packages/mcp/(?:src/server|test-support)/'] },
      to: { path: ['node_modules/@modelcontextprotocol/', '^@modelcontextprotocol/'] },
    },
    {
      name: 'not-to-test',
      severity: 'error',
      from: { pathNot: [TESTS, '^tests/'] },
      to: { path: [TESTS, '^tests/'] },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^@codex/launcher-darwin$', '^#platform$', '\\.css$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '^apps/codex/lib/', 'generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@codex/source', 'import', 'types', 'node', 'default'],
    },
  },
};
