// What V8 has compiled is kept beside the program, taken only from where the program is taken from, and never for a file
// that has changed.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { APP } from '../support/codex-command.js';

const REPORTER = fileURLToPath(new URL('../support/report-code-cache.cjs', import.meta.url));
const INITIALIZE = '{"id":1,"method":"initialize","params":{"clientName":"test"}}\n';

let folder: string;
let cache: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'code-cache-'));
  cache = join(folder, 'dist', 'code-cache');
  for (const part of ['dist', 'prebuilt']) {
    cpSync(join(dirname(APP), '..', part), join(folder, part), { recursive: true });
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => rmSync(cache, { recursive: true, force: true }));

/** One session over stdio, to its end. */
function serve(nodeFlags: readonly string[] = []) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = [...nodeFlags, join(folder, 'dist', 'codex.js'), '--listen', 'stdio', '--no-config'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { input: INITIALIZE, encoding: 'utf8', env });
  expect(stdout).toContain('"sessionId"');
  return stderr;
}

interface Report {
  readonly fromCache: readonly string[];
  readonly compiled: readonly string[];
}

const serveReporting = (): Report => JSON.parse(serve(['--require', REPORTER])) as Report;

const cacheFile = (): string => join(cache, readdirSync(cache)[0] ?? '');

it('is written by the first session and used by the next', () => {
  expect(serveReporting().fromCache).toEqual([]);
  expect(existsSync(cache)).toBe(false);
  serve();
  const { fromCache, compiled } = serveReporting();
  expect(compiled).toEqual([]);
  expect(fromCache.map((file) => basename(file))).toContain('program.js');
  expect(statSync(cacheFile()).mode & 0o777).toBe(0o644);
});

it('is not used for a file that has changed without changing its length', () => {
  serve();
  const changed = join(folder, 'dist', 'program.js');
  const source = readFileSync(changed, 'utf8');
  writeFileSync(changed, `${source.slice(0, -1)} `);
  expect(serveReporting().compiled).toEqual([changed]);
  serve();
  expect(serveReporting().compiled).toEqual([]);
});

it('is neither used nor written where others could have written it', () => {
  serve();
  chmodSync(cacheFile(), 0o664);
  expect(serveReporting().fromCache).toEqual([]);
  rmSync(cache, { recursive: true });
  chmodSync(join(folder, 'dist'), 0o775);
  serve();
  chmodSync(join(folder, 'dist'), 0o755);
  expect(existsSync(cache)).toBe(false);
});

it('does no harm when it is broken', () => {
  serve();
  const whole = readFileSync(cacheFile());
  for (const broken of [whole.subarray(0, whole.length / 2), Buffer.alloc(0), Buffer.alloc(100, 0xff)]) {
    writeFileSync(cacheFile(), broken);
    expect(serveReporting().fromCache).toEqual([]);
  }
  serve();
  expect(serveReporting().compiled).toEqual([]);
});
