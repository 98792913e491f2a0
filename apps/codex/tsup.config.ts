import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { apartEntries } from '../../scripts/bundling/apart-modules.ts';
import { bundleExecutable } from '../../scripts/bundling/bundle-executable.ts';
import { bundleSandboxedHelper } from '../../scripts/bundling/bundle-sandboxed-helper.ts';
import { commonJsChunks } from '../../scripts/bundling/commonjs-chunks.ts';
import { lazyWsModules } from '../../scripts/bundling/lazy-ws-modules.ts';
import { libraryBuild } from '../../scripts/bundling/library-build.ts';
import { orderProgram, packProgram } from '../../scripts/bundling/pack-program.ts';
import { warmCodeCache } from '../../scripts/bundling/warm-code-cache.ts';

const here = import.meta.dirname;

/** The program: what the address needs is in a few small files, the rest is read when it is wanted. */
const program = defineConfig({
  entry: { program: 'src/program.ts', ...apartEntries(join(here, '..', '..', 'packages')) },
  format: ['esm'],
  target: 'node20',
  outDir: 'dist',
  clean: false,
  splitting: true,
  // Everything but the native module is in the bundle, so that starting reads few files.
  noExternal: [
    /^@codex\//,
    /^@modelcontextprotocol\//,
    /^@nats-io\//,
    'tweetnacl',
    'zod',
    'ws',
    'commander',
    'smol-toml',
    'yaml',
  ],
  external: ['@codex/launcher-darwin', '@opentelemetry/api'],
  plugins: [commonJsChunks()],
  esbuildPlugins: [lazyWsModules()],
  esbuildOptions(options) {
    options.conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
    // Names stay as they are: for stack traces and errors, and restoring short ones at run time would cost 4 ms.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  async onSuccess() {
    writeFileSync(join(here, 'dist', 'package.json'), '{ "type": "commonjs" }\n');
    packProgram(join(here, 'dist'));
    await bundleExecutable(here);
    await bundleSandboxedHelper(here);
    // By the program itself, so that it is what the program checks.
    const schema = execFileSync(process.execPath, [join(here, 'dist', 'codex.js'), '--print-config-schema']);
    writeFileSync(join(here, 'dist', 'config.schema.json'), schema);
    // The native programs travel with the bundle, where their own look-up finds them.
    rmSync(join(here, 'prebuilt'), { recursive: true, force: true });
    for (const name of ['launcher', 'escalation']) {
      const built = join(here, '..', '..', 'packages', name, 'native', 'build');
      cpSync(built, join(here, 'prebuilt'), { recursive: true });
    }
    // So does the console's page, which its own package has built.
    rmSync(join(here, 'dist', 'console'), { recursive: true, force: true });
    cpSync(join(here, '..', '..', 'packages', 'console', 'dist', 'page'), join(here, 'dist', 'console'), {
      recursive: true,
    });
    await warmCodeCache(join(here, 'dist', 'codex.js'));
    orderProgram(join(here, 'dist'));
    await warmCodeCache(join(here, 'dist', 'codex.js'));
  },
});

export default [program, libraryBuild(['src/index.ts'], 'lib')].flat();
