import { libraryBuild } from '../../scripts/bundling/library-build.ts';

export default libraryBuild(['src/index.ts']);
