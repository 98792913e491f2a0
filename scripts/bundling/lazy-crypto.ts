import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

const REQUIRED = /require\("(?:node:)?crypto"\)/g;
const LAZY = '{get randomBytes(){return require("crypto").randomBytes}}';

/**
 * Node loads nineteen modules for `crypto`, a good part of what its program for sandboxed files takes to answer, and only a write
 * needs it, for a random name.
 */
export function lazyCrypto(): Plugin {
  return {
    name: 'lazy-crypto',
    renderChunk(code) {
      const places = code.match(REQUIRED)?.length ?? 0;
      if (places !== 1) throw new Error(`crypto is required in ${places} places instead of one`);
      return { code: code.replace(REQUIRED, LAZY) };
    },
  };
}
