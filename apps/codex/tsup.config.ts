import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { commonJsChunks } from '../../scripts/commonjs-chunks.ts';
import { fileHelperBuild, libraryBuild } from '../../scripts/library-build.ts';

const here = import.meta.dirname;

/** The program: what the address needs is in a few small files, the rest is read when it is wanted. */
const program = defineConfig({
  entry: { codex: 'src/codex.ts' },
  format: ['esm'],
  target: 'node20',
  outDir: 'dist',
  clean: false,
  splitting: true,
  // Everything but the native module is in the bundle, so that starting reads few files.
  noExternal: [/^@codex\//, 'ws', 'commander', 'smol-toml', 'yaml'],
  external: ['@codex/launcher-darwin'],
  plugins: [commonJsChunks()],
  esbuildOptions(options) {
    options.conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
    // Names stay as they are: for stack traces and errors, and restoring short ones at run time would cost 4 ms.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  async onSuccess() {
    writeFileSync(join(here, 'dist', 'package.json'), '{ "type": "commonjs" }\n');
    // By the program itself, so that it is what the program checks.
    const schema = execFileSync(process.execPath, [join(here, 'dist', 'codex.js'), '--print-config-schema']);
    writeFileSync(join(here, 'dist', 'config.schema.json'), schema);
    // The launcher's programs travel with the bundle, where its own look-up finds them.
    const built = join(here, '..', '..', 'packages', 'launcher', 'native', 'build');
    rmSync(join(here, 'prebuilt'), { recursive: true, force: true });
    cpSync(built, join(here, 'prebuilt'), { recursive: true });
  },
});

export default [program, fileHelperBuild('src/codex-fs.ts'), libraryBuild(['src/index.ts'], 'lib')].flat();
