// The real codex, each server with an empty home that keeps the user's own configuration out of the run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { REAL_CODEX_VERSION, realCodex } from '@codex/tests-real-codex';
import { EXPECTED_OF_CODEX } from '../expected/codex-0.169.0.js';
import { announcedFeatures } from './announced-features.js';
import { launchProgram, serveProgram } from './program.js';
import type { RunningServer, Target } from './target.js';

export interface CodexOptions {
  /** Tells the user what happens, since an install takes a while. */
  readonly say: (line: string) => void;
}

export async function codexTarget({ say }: CodexOptions): Promise<Target> {
  const { binary, makeHome } = realCodex(say);
  const { stdout } = await promisify(execFile)(binary, ['--version']);
  say(`real codex: ${binary} (${stdout.trim()})`);
  if (!stdout.includes(REAL_CODEX_VERSION)) {
    say(`the list of expected differences is for ${REAL_CODEX_VERSION}; other versions may differ elsewhere`);
  }
  const spec = (args: readonly string[], home: string) => ({
    command: binary,
    args: ['exec-server', ...args],
    env: { CODEX_HOME: home },
  });
  const start = async () => {
    const home = makeHome();
    const server = await serveProgram(spec(['--listen', 'ws://127.0.0.1:0'], home.path));
    const stop = () => server.stop().finally(() => home.remove());
    return { ...server, stop };
  };
  return {
    name: `codex ${REAL_CODEX_VERSION}`,
    features: await programFeatures(start),
    expected: EXPECTED_OF_CODEX,
    start,
    async launch(args) {
      const home = makeHome();
      const program = launchProgram(spec(args, home.path));
      const stop = () => program.stop().finally(() => home.remove());
      return { ...program, stop };
    },
  };
}

async function programFeatures(start: () => Promise<RunningServer>): Promise<ReadonlySet<string>> {
  const server = await start();
  try {
    const announced = await announcedFeatures(server.url);
    return new Set(['shared-host', 'planted-environment', 'own-process', 'stdio', ...announced]);
  } finally {
    await server.stop();
  }
}
