import { libraryBuild } from '../../scripts/bundling/library-build.ts';

export default libraryBuild([
  'src/index.ts',
  'src/options/index.ts',
  'src/schema/index.ts',
  'src/validate-params.ts',
  'src/validate-messages.ts',
]);
