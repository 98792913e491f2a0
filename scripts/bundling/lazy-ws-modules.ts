import { readFileSync } from 'node:fs';
import type { Options } from 'tsup';

type Plugin = NonNullable<NonNullable<Options['esbuildPlugins']>[number]>;

/**
 * `ws` takes in TLS and compression at its top, which a server on loopback never uses: 4 ms of the first answer. Here
 * they are taken in where they are used.
 */
export function lazyWsModules(): Plugin {
  return {
    name: 'lazy-ws-modules',
    setup(build) {
      build.onLoad({ filter: /[\\/]ws[\\/]lib[\\/](websocket|permessage-deflate)\.js$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const names = [...source.matchAll(/^const (https|tls|zlib) = require\('\1'\);$/gm)].map(
          ([, name = '']) => name,
        );
        if (names.length === 0) throw new Error(`${path} requires neither https, tls nor zlib any more`);
        let contents = source;
        for (const name of names) {
          contents = contents
            .replace(`const ${name} = require('${name}');`, '')
            .replace(new RegExp(`(?<![\\w.'"])${name}\\.`, 'g'), `require('${name}').`);
        }
        return { contents, loader: 'js' };
      });
    },
  };
}
