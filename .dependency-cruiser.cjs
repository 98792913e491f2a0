// Which package may import which: arrows point down only (see ARCHITECTURE.md).
const PACKAGES = [
  'protocol',
  'rpc',
  'listener',
  'launcher',
  'sandbox',
  'files',
  'server-core',
  'client',
  'cli',
];

const MAY_IMPORT = {
  protocol: [],
  rpc: ['protocol'],
  listener: ['protocol', 'rpc'],
  launcher: [],
  sandbox: ['protocol', 'launcher'],
  files: ['protocol', 'launcher', 'sandbox'],
  'server-core': ['protocol', 'rpc', 'sandbox', 'launcher', 'files'],
  client: ['protocol', 'rpc'],
  cli: ['protocol', 'rpc', 'listener', 'sandbox', 'launcher', 'server-core', 'client'],
};

const layering = PACKAGES.map((name) => ({
  name: `${name}-imports-only-below`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: `^packages/(?!(?:${[name, ...MAY_IMPORT[name]].join('|')})/)` },
}));

const TESTS = '\\.test\\.ts$';

module.exports = {
  forbidden: [
    ...layering,
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
      name: 'not-to-test',
      severity: 'error',
      from: { pathNot: [TESTS, '^tests/'] },
      to: { path: [TESTS, '^tests/'] },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^node-pty$', '^#platform$'] },
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
