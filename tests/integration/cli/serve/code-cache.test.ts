// What V8 has compiled is kept beside the program, taken only from where the program is taken from, and never for a file
// that has changed.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
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

const READ_CONFIG = {
  method: 'environmentConfig/read',
  params: { cwd: 'file:///', configPaths: [['model']], requirementsPaths: [] },
};
const REQUEST_HTTP = {
  method: 'http/request',
  params: { requestId: 'one', method: 'GET', url: 'http://127.0.0.1:1/' },
};

/** A session over stdio that can be asked. */
class Session {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  readonly #stderr: Promise<string>;

  private constructor(nodeFlags: readonly string[]) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const args = [...nodeFlags, join(folder, 'dist', 'codex.js'), '--listen', 'stdio', '--no-config'];
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#stderr = text(this.#child.stderr);
  }

  static async open(nodeFlags: readonly string[] = []): Promise<Session> {
    const session = new Session(nodeFlags);
    session.#child.stdin.write(INITIALIZE);
    await session.#lines.next();
    session.#child.stdin.write('{"method":"initialized"}\n');
    return session;
  }

  async call(request: object): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify({ id: 2, ...request })}\n`);
    const { value } = await this.#lines.next();
    return JSON.parse(String(value)) as unknown;
  }

  /** What it said on stderr. */
  end(): Promise<string> {
    this.#child.stdin.end();
    return this.#stderr;
  }
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

it('is not used for a program that has changed without changing its length', () => {
  serve();
  const { fromCache } = serveReporting();
  const changed = join(folder, 'dist', 'program.bin');
  const content = readFileSync(changed, 'latin1');
  writeFileSync(changed, content.replace('"initialize"', "'initialize'"), 'latin1');
  expect(serveReporting()).toEqual({ fromCache: [], compiled: fromCache });
  serve();
  expect(serveReporting().compiled).toEqual([]);
});

it('has what is loaded later, and keeps what another run has put there', async () => {
  serve();
  const first = await Session.open();
  const second = await Session.open();
  await first.call(READ_CONFIG);
  await first.end();
  await second.call(REQUEST_HTTP);
  await second.end();
  const third = await Session.open(['--require', REPORTER]);
  await third.call(READ_CONFIG);
  await third.call(REQUEST_HTTP);
  const { compiled, fromCache } = JSON.parse(await third.end()) as Report;
  expect(compiled).toEqual([]);
  expect(fromCache.map((file) => basename(file).split('-')[0])).toEqual(
    expect.arrayContaining(['read', 'http']),
  );
});

it('a program that is replaced while it runs goes on with its own files, and leaves the cache of the new one alone', async () => {
  const own = join(folder, 'dist', 'program.bin');
  const session = await Session.open();
  renameSync(own, `${own}.old`);
  writeFileSync(own, 'another program');
  onTestFinished(() => renameSync(`${own}.old`, own));
  expect(await session.call(READ_CONFIG)).toHaveProperty('result.codexHomeDir');
  await session.end();
  expect(existsSync(cache)).toBe(false);
});

it('says what to do where its files are damaged', () => {
  const own = join(folder, 'dist', 'program.bin');
  const whole = readFileSync(own);
  writeFileSync(own, whole.subarray(0, whole.length / 2));
  onTestFinished(() => writeFileSync(own, whole));
  const { stderr } = spawnSync(process.execPath, [join(folder, 'dist', 'codex.js')], { encoding: 'utf8' });
  expect(stderr).toContain('program.bin is damaged: install the program again');
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
