import { libraryBuild } from '../../scripts/library-build.ts';

export default libraryBuild(['src/index.ts', 'src/shell/index.ts']);
