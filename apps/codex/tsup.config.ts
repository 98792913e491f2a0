import { defineConfig } from 'tsup';

const bundled = {
  format: ['esm' as const],
  target: 'node20',
  outDir: 'dist',
  clean: false,
  splitting: true,
  sourcemap: false,
  // Everything but the native module is in the bundle, so that starting reads few files.
  noExternal: [/^@codex\//, 'ws', 'commander'],
  external: ['node-pty'],
  esbuildOptions(options: { conditions?: string[] }) {
    options.conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
  },
};

export default defineConfig([
  {
    ...bundled,
    entry: { codex: 'src/codex.ts' },
    // Bundled CommonJS (ws, commander) calls require() for Node's own modules.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    minifySyntax: true,
  },
]);
