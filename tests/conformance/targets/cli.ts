// Our built program, as a user runs it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EXPECTED_OF_OURS } from '../expected/ours.js';
import { ourExtensions } from './our-features.js';
import { launchProgram, serveProgram } from './program.js';
import type { Target } from './target.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));

export function cliTarget(): Target {
  const spec = (args: readonly string[]) => {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not built: run \`npm run build\` first`);
    return { command: process.execPath, args: [PROGRAM, 'exec-server', ...args] };
  };
  return {
    name: 'our program',
    features: new Set(['shared-host', 'planted-environment', 'own-process', 'stdio', ...ourExtensions()]),
    expected: EXPECTED_OF_OURS,
    start: () => serveProgram(spec(['--listen', 'ws://127.0.0.1:0'])),
    launch: async (args) => launchProgram(spec(args)),
  };
}
