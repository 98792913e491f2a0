import { fileHelperBuild, libraryBuild } from '../../scripts/library-build.ts';

export default [
  libraryBuild(['src/index.ts', 'src/defaults.ts', 'src/sandboxed-fs/helper/index.ts']),
  fileHelperBuild('src/sandboxed-fs/helper/codex-fs.ts'),
].flat();
