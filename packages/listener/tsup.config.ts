import { libraryBuild } from '../../scripts/bundling/library-build.ts';

export default libraryBuild(['src/index.ts', 'src/auth/index.ts', 'src/console/index.ts']);
