// What the app loads before it prints its address. Time depends on the machine; this is what the time goes into.
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { APP } from './codex-command.js';

const REPORTER = fileURLToPath(new URL('./report-loaded-files.cjs', import.meta.url));

interface Loaded {
  readonly files: readonly string[];
  readonly builtins: readonly string[];
}

function loadedBy(args: readonly string[]): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--require', REPORTER, APP, ...args], (error, _, stderr) =>
      error === null ? resolve(JSON.parse(stderr) as Loaded) : reject(error),
    );
  });
}

it('reads little before it listens: no validators, no websocket code, no cryptography', async () => {
  const { files, builtins } = await loadedBy(['exec-server', '--quiet']);
  expect(files).toContain(APP);
  expect(files.length).toBeLessThanOrEqual(20);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(200_000);
  expect(builtins).toContain('http');
  const late = ['crypto', 'tls', 'zlib', 'fs/promises', 'internal/modules/esm/loader'];
  expect(builtins.filter((name) => late.includes(name))).toEqual([]);
});
