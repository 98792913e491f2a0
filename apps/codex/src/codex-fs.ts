// `codex-fs` as the server starts it, in a folder of its own: its sandbox has to show nothing else of this app. With
// `--compile` it serves itself, outside of any sandbox, and leaves what V8 compiled for those that follow.
import { ChunkLoader } from './loader/chunk-loader.js';
import type * as Helper from './sandboxed-files.js';

const loader = new ChunkLoader(__dirname, require);
const helper = loader.load('helper.js') as typeof Helper;
if (process.argv.includes('--compile')) void helper.rehearse().then(() => loader.keepCompiledCode());
else void helper.runFsHelperProgram({ isCompiledAnew: !loader.isFromCache });
