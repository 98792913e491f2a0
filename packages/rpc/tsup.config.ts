import { libraryBuild } from '../../scripts/bundling/library-build.ts';

export default libraryBuild([
  'src/index.ts',
  'src/ws/index.ts',
  'src/ws/channel-entry.ts',
  'src/stdio/index.ts',
  'src/bytes/index.ts',
]);
