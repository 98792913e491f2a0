// The folders inside a package, from the bottom to the top: a folder imports itself and those before it, so there are no
// cycles between folders. `root` names the files directly in `src` that belong to the bottom; the others are the top.
exports.FOLDERS = {
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
      'shutdown-signals',
      'unless-stranded',
      'whole-number',
      'working-folder',
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
  client: {
    root: [
      'capabilities',
      'captured',
      'exec-server-error',
      'head-tail-buffer',
      'inspect',
      'platform',
      'remote-path',
    ].concat(['result', 'rpc-failure', 'sandbox-option', 'spawn-options']),
    order: ['options', 'web', 'node', 'session', 'process', 'run', 'fs', 'observe'],
  },
  console: { root: [], order: ['style', 'text', 'wire', 'log', 'typing', 'terminal', 'model', 'view'] },
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
    order: ['naming', 'spans', 'broker', 'tenancy', 'channel', 'inventory', 'executor', 'opener', 'gateway'],
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
    order: ['text', 'tree', 'options', 'errors', 'schema', 'generated', 'wire', 'path'],
  },
  rpc: {
    root: ['bulk-scheduler', 'channel', 'clock', 'peer-stats', 'rpc-limits', 'rpc-logger', 'transport-error'],
    order: ['bytes', 'stdio', 'ws', 'inbound'],
  },
  sandbox: {
    root: ['errors', 'inherited-descriptors', 'open-exactly', 'run-supervised'],
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
    root: ['limits', 'tool-error', 'unless-aborted'],
    order: [
      'text',
      'patch',
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
