import { transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/** Chunks that want to know where they are get the address of their own file. */
const OWN_URL = "const __ownUrl = require('node:url').pathToFileURL(__filename).href;\n";

/** What the loader (apps/codex/src/loader) calls. It is in the file, because putting it around a source there copies that. */
const HEAD = '(function(exports,require,module,__filename,__dirname,performance){';
const TAIL = '\n})';

/**
 * Rewrites the chunks of a split program as CommonJS. esbuild splits ES modules only, but starting those costs Node
 * about 15 ms more: its module loader is asynchronous, and every chunk is resolved, read and linked in turns of its own.
 */
export function commonJsChunks(): Plugin {
  return {
    name: 'commonjs-chunks',
    async renderChunk(code) {
      const { code: commonJs } = await transform(code, {
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        minifyWhitespace: true,
        minifySyntax: true,
        define: { 'import.meta.url': '__ownUrl', 'import.meta.dirname': '__dirname' },
        // import() would bring the loader of ES modules back.
        supported: { 'dynamic-import': false },
      });
      const ownUrl = commonJs.includes('__ownUrl') ? OWN_URL : '';
      return { code: HEAD + ownUrl + commonJs + TAIL };
    },
  };
}
