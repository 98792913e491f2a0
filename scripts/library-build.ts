import { defineConfig } from 'tsup';

/** JavaScript only: `tsc -b` writes the declarations beside it, so nothing is cleaned here. */
export function libraryBuild(entry: string[]) {
  return defineConfig({
    entry,
    format: ['esm'],
    target: 'node20',
    dts: false,
    sourcemap: true,
    splitting: true,
    clean: false,
    outDir: 'dist',
  });
}
