import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';

const here = import.meta.dirname;

export default defineConfig({
  entry: { codex: 'src/codex.ts' },
  format: ['esm'],
  target: 'node20',
  outDir: 'dist',
  clean: false,
  splitting: true,
  minifySyntax: true,
  // Everything but the native module is in the bundle, so that starting reads few files.
  noExternal: [/^@codex\//, 'ws', 'commander'],
  external: ['node-pty'],
  // Bundled CommonJS (ws, commander) calls require() for Node's own modules.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
  esbuildOptions(options) {
    options.conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
  },
  // The launcher's programs travel with the bundle, where its own look-up finds them.
  async onSuccess() {
    const built = join(here, '..', '..', 'packages', 'launcher', 'native', 'build');
    rmSync(join(here, 'prebuilt'), { recursive: true, force: true });
    cpSync(built, join(here, 'prebuilt'), { recursive: true });
  },
});
