import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  resolve: { conditions: ['@codex/source', 'browser', 'import', 'module', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist/page',
    emptyOutDir: true,
    assetsDir: 'assets',
    // Every file is a request that the gate must judge: nothing is turned into a data URL that it does not see.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
