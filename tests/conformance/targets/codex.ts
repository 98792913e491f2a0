// The real codex: the binary that CODEX_BINARY names, or the pinned npm release installed into a cache directory.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXPECTED_OF_CODEX } from '../expected/codex-0.166.0.js';
import { announcedFeatures } from './announced-features.js';
import { launchProgram, serveProgram } from './program.js';
import type { RunningServer, Target } from './target.js';

const VERSION = '0.166.0';

export interface CodexOptions {
  /** Tells the user what happens, since an install takes a while. */
  readonly say: (line: string) => void;
}

export async function codexTarget({ say }: CodexOptions): Promise<Target> {
  const binary = process.env['CODEX_BINARY'] ?? (await installedBinary(say));
  const { stdout } = await promisify(execFile)(binary, ['--version']);
  say(`real codex: ${binary} (${stdout.trim()})`);
  if (!stdout.includes(VERSION)) {
    say(`the list of expected differences is for ${VERSION}; other versions may differ elsewhere`);
  }
  const spec = (args: readonly string[], home: string) => ({
    command: binary,
    args: ['exec-server', ...args],
    env: { CODEX_HOME: home },
  });
  const start = async () => {
    const home = await temporaryHome();
    const server = await serveProgram(spec(['--listen', 'ws://127.0.0.1:0'], home));
    const stop = () => server.stop().finally(() => rm(home, { recursive: true, force: true }));
    return { ...server, stop };
  };
  return {
    name: `codex ${VERSION}`,
    features: await programFeatures(start),
    expected: EXPECTED_OF_CODEX,
    start,
    async launch(args) {
      const home = await temporaryHome();
      const program = launchProgram(spec(args, home));
      const stop = () => program.stop().finally(() => rm(home, { recursive: true, force: true }));
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

/** An empty home keeps the user's own configuration out of the run. */
function temporaryHome(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'codex-home-'));
}

async function installedBinary(say: (line: string) => void): Promise<string> {
  const cache = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'exec-conformance',
    `codex-${VERSION}`,
  );
  const binary = join(cache, 'node_modules', '.bin', 'codex');
  if (existsSync(binary)) return binary;
  say(`installing @openai/codex@${VERSION} into ${cache} (once; about 300 MB)`);
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'package.json'), '{"private":true}\n');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `@openai/codex@${VERSION}`], {
    cwd: cache,
  });
  return binary;
}
