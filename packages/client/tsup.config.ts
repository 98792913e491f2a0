import { libraryBuild } from '../../scripts/bundling/library-build.ts';

// `#platform` stays an import of the published package, so that each runtime resolves its own.
export default {
  ...libraryBuild([
    'src/index.ts',
    'src/node/index.ts',
    'src/node/platform.ts',
    'src/node/bun-platform.ts',
    'src/web/platform.ts',
  ]),
  external: ['#platform'],
};
