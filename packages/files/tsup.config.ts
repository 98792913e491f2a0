import { fileHelperBuild, libraryBuild } from '../../scripts/bundling/library-build.ts';

export default [
  libraryBuild(['src/index.ts', 'src/fs-limits.ts', 'src/helper/index.ts']),
  fileHelperBuild('src/helper/codex-fs.ts'),
].flat();
