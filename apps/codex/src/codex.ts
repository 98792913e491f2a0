#!/usr/bin/env node
// The executable. It loads the program's files itself instead of leaving them to Node's `require`, with what V8 made of
// them in an earlier run (decision 0052).
import { join } from 'node:path';
import { ChunkLoader } from './loader/chunk-loader.js';
import type { main } from './program.js';

const loader = new ChunkLoader(__dirname, require);
const program = loader.load('program.js') as { main: typeof main };
program.main({
  codexExecutable: join(__dirname, 'codex.js'),
  holdsOwnFiles: true,
  keepCompiledCode: () => loader.keepCompiledCode(),
});
