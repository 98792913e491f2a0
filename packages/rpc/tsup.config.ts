import { libraryBuild } from '../../scripts/library-build.ts';

export default libraryBuild([
  'src/index.ts',
  'src/ws/index.ts',
  'src/ws-listener/index.ts',
  'src/ws-listener/auth/index.ts',
  'src/stdio/index.ts',
]);
