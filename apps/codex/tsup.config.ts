import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { fileHelperBuild, libraryBuild } from '../../scripts/library-build.ts';

const here = import.meta.dirname;

/** Bundled CommonJS (ws, commander) calls require() for Node's own modules. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

const program = defineConfig({
  entry: { codex: 'src/codex.ts' },
  format: ['esm'],
  target: 'node20',
  outDir: 'dist',
  clean: false,
  splitting: true,
  minify: true,
  // Everything but the native module is in the bundle, so that starting reads few files.
  noExternal: [/^@codex\//, 'ws', 'commander', 'smol-toml'],
  external: ['node-pty'],
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
  esbuildOptions(options) {
    options.conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
    // Stack traces and error names stay readable.
    options.keepNames = true;
  },
  // The launcher's programs travel with the bundle, where its own look-up finds them.
  async onSuccess() {
    const built = join(here, '..', '..', 'packages', 'launcher', 'native', 'build');
    rmSync(join(here, 'prebuilt'), { recursive: true, force: true });
    cpSync(built, join(here, 'prebuilt'), { recursive: true });
  },
});

export default [program, fileHelperBuild('src/codex-fs.ts'), libraryBuild(['src/index.ts'])].flat();
