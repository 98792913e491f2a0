import { defineConfig } from 'tsup';
import { lazyCrypto } from './lazy-crypto.ts';

/** JavaScript only: `tsc -b` writes the declarations beside it, so nothing is cleaned here. */
export function libraryBuild(entry: string[], outDir = 'dist') {
  return defineConfig({
    entry,
    format: ['esm'],
    target: 'node20',
    dts: false,
    sourcemap: true,
    splitting: true,
    // A class that names itself in its body is renamed otherwise, and its instances would print under the other name.
    keepNames: true,
    clean: false,
    outDir,
  });
}

/** The program that serves sandboxed file requests: one file that starts like bare Node and needs nothing beside it. */
export function fileHelperBuild(entry: string) {
  return defineConfig({
    entry: { 'codex-fs': entry },
    format: ['cjs'],
    target: 'node20',
    dts: false,
    minify: true,
    clean: false,
    outDir: 'dist',
    noExternal: [/^@codex\//],
    plugins: [lazyCrypto()],
    esbuildOptions(options) {
      options.conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
      options.keepNames = true;
      options.logLevel = 'error';
    },
  });
}
