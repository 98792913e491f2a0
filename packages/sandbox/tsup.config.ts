import { libraryBuild } from '../../scripts/bundling/library-build.ts';

export default libraryBuild(['src/index.ts', 'src/linux/bubblewrap-trial.ts', 'src/policy/access-lookup.ts']);
