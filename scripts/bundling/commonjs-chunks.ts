import { transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/** Chunks that want to know where they are get the address of their own file. */
const OWN_URL = "const __ownUrl = require('node:url').pathToFileURL(__filename).href;\n";

/** What the loader (apps/codex/src/loader) calls. It is in the file, because putting it around a source there copies that. */
const HEAD = '(function(exports,require,module,__filename,__dirname,performance){';
const TAIL = '\n})\n';

/**
 * Rewrites the chunks of a split program as CommonJS. esbuild splits ES modules only, but starting those costs Node
 * about 15 ms more: its module loader is asynchronous, and every chunk is resolved, read and linked in turns of its own.
 */
export function commonJsChunks(): Plugin {
  return {
    name: 'commonjs-chunks',
    async renderChunk(code) {
      return { code: await asChunk(code) };
    },
  };
}

/** An ES module of esbuild's as a chunk that the loader calls. */
export async function asChunk(code: string): Promise<string> {
  const { code: commonJs } = await transform(code, {
    format: 'cjs',
    charset: 'ascii',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    define: { 'import.meta.url': '__ownUrl', 'import.meta.dirname': '__dirname' },
    // import() would bring the loader of ES modules back.
    supported: { 'dynamic-import': false },
  });
  const ownUrl = commonJs.includes('__ownUrl') ? OWN_URL : '';
  return HEAD + ownUrl + directExports(commonJs) + TAIL;
}

/**
 * esbuild copies the exports of each chunk once for who may not be an ES module, and once more for who imports it; every one of
 * ours is, so its exports are handed on as they are. Of Node's own modules it copies hundreds of names.
 */
function directExports(code: string): string {
  return code
    .replace('module.exports=__toCommonJS(stdin_exports)', 'module.exports=stdin_exports')
    .replaceAll(/__toESM\(require\((".\/[^"]+")\)\)/g, 'require($1)')
    .replaceAll(/__toESM\(require\(("[a-z_/:]+")\)\)/g, '({__proto__:require($1),default:require($1)})');
}

/** Loaded before any program runs, or by whatever is loaded first. */
const EAGER = ['fs', 'path', 'buffer', 'events', 'util', 'url'];

/**
 * Node's own modules and other chunks are loaded when something of them is used: a session over stdio needs no `http`, and a
 * server that listens nothing of what reads messages. A name is a function then that asks once. `isSmall` says of which chunks reading
 * them costs less than asking.
 */
export function lazyRequires(code: string, isSmall: (chunk: string) => boolean): string {
  const lazy = new Set<string>();
  const declared = code.replaceAll(
    /\b(import_\w+)=require\("([^"]+)"\)/g,
    (whole, name: string, wanted: string) => {
      if (EAGER.includes(wanted.replace('node:', '')) || isSmall(wanted.replace('./', ''))) return whole;
      lazy.add(name);
      return `${name}$,${name}=()=>${name}$??=require("${wanted}")`;
    },
  );
  return declared.replaceAll(/\bimport_\w+\b(?!\$|=\(\)=>)/g, (name) =>
    lazy.has(name) ? `(${name}())` : name,
  );
}
