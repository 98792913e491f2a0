// Which package may import which: arrows point down only (see ARCHITECTURE.md).
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { FOLDERS } = require('./scripts/folder-order.cjs');

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
  escalation: ['protocol', 'execpolicy', 'sandbox', 'launcher'],
  'unified-exec': ['protocol', 'client'],
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

const packages = readdirSync(join(__dirname, 'packages')).filter((name) =>
  existsSync(join(__dirname, 'packages', name, 'src')),
);
for (const name of packages) {
  if (MAY_IMPORT[name] === undefined) throw new Error(`packages/${name} has no row in MAY_IMPORT`);
  const order = FOLDERS[name]?.order ?? [];
  for (const entry of readdirSync(join(__dirname, 'packages', name, 'src'), { withFileTypes: true })) {
    const isListed = order.some((folder) => folder === entry.name || folder.startsWith(`${entry.name}/`));
    if (entry.isDirectory() && !isListed)
      throw new Error(`packages/${name}/src/${entry.name} has no place in scripts/folder-order.cjs`);
  }
}

const layering = packages.map((name) => ({
  name: `${name}-imports-only-below`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: `^packages/(?!(?:${[name, ...MAY_IMPORT[name]].join('|')})/)` },
}));

const TESTS = '\\.test\\.ts$';

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
      name: 'peers-run-anywhere',
      comment:
        'The engine of the client in a page. What needs Node is in folders of its own: bytes, stdio, ws.',
      severity: 'error',
      from: { path: '^packages/rpc/src/(?:[^/]+|inbound/[^/]+)\\.ts$', pathNot: TESTS },
      to: { dependencyTypes: ['core', 'npm'] },
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
