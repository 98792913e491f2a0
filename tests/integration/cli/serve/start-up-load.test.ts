// What the app loads before it prints its address, and before it answers its first client. Time depends on the machine;
// this is what the time goes into.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { APP } from '../support/codex-command.js';

const REPORTER = fileURLToPath(new URL('../support/report-loaded-files.cjs', import.meta.url));

interface LoadedFile {
  readonly name: string;
  readonly source: string;
}

interface Loaded {
  readonly files: readonly LoadedFile[];
  readonly builtins: readonly string[];
  /** How often something was read from a place in a file: that is what the program itself is. */
  readonly reads: number;
}

function startReporting(until: 'address' | 'signal', flags: readonly string[] = []) {
  const child = spawn(process.execPath, ['--require', REPORTER, APP, 'exec-server', '--quiet', ...flags], {
    env: { ...process.env, LOADED_UNTIL: until },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const loaded = text(child.stderr).then((report) => JSON.parse(report) as Loaded);
  return { child, loaded };
}

/** Everything that was read when the first client has its first answer. */
async function loadedForFirstClient(): Promise<Loaded> {
  const { child, loaded } = startReporting('signal');
  child.stdout.once('data', (line: Buffer) => {
    const client = new WebSocket(String(line).trim());
    client.once('open', () => client.send('{"id":1,"method":"initialize","params":{"clientName":"test"}}'));
    client.once('message', () => child.kill('SIGUSR2'));
  });
  return loaded;
}

const bytesOf = (files: readonly LoadedFile[]): number =>
  files.reduce((sum, { source }) => sum + source.length, 0);

const holds = ({ source }: LoadedFile, words: string): boolean => source.includes(words);

it('reads little before it listens: no validators, no websocket code, no cryptography', async () => {
  const { files, builtins, reads } = await startReporting('address').loaded;
  expect(files.map(({ name }) => name)).toContain(APP);
  // Some are small because `gateway`, `fleet`, `ps` and the console share settings with a server that listens.
  expect(files.length).toBeLessThanOrEqual(36);
  expect(bytesOf(files)).toBeLessThan(205_000);
  // They lie side by side in the program's file, and are read a hundred kilobytes at a time.
  expect(reads).toBeLessThanOrEqual(8);
  expect(builtins).toContain('http');
  for (const words of ['tweetnacl', 'HPUB', 'RpcPeer=class', 'AsciicastWriter=class']) {
    expect(files.filter((file) => holds(file, words))).toEqual([]);
  }
  const late = ['crypto', 'tls', 'zlib', 'fs/promises', 'perf_hooks', 'internal/modules/esm/loader'];
  expect(builtins.filter((name) => late.includes(name))).toEqual([]);
});

it('answers its first client before it reads what sandboxes, YAML, TOML and MCP need', async () => {
  const { files, reads } = await loadedForFirstClient();
  expect(files.some((file) => holds(file, 'process/start'))).toBe(true);
  for (const words of ['--seccomp', 'TomlError', 'YAMLParseError', 'elicitation/create']) {
    expect(files.filter((file) => holds(file, words))).toEqual([]);
  }
  // Nor what the requests after the first need: their validators are longer than all the rest of the server.
  for (const words of ['validateDirectStartParams', 'validateFsRenameParams', 'AsciicastWriter=class']) {
    expect(files.filter((file) => holds(file, words))).toEqual([]);
  }
  expect(bytesOf(files)).toBeLessThan(725_000);
  expect(reads).toBeLessThanOrEqual(16);
});

it('answers over stdio without the modules of Node that only a listener needs', async () => {
  const { child, loaded } = startReporting('signal', ['--listen', 'stdio']);
  child.stdout.once('data', () => child.kill('SIGUSR2'));
  child.stdin.write('{"id":1,"method":"initialize","params":{"clientName":"test"}}\n');
  const { builtins } = await loaded;
  expect(builtins).toContain('crypto');
  const unneeded = ['http', 'https', 'dns', 'cluster', 'zlib', 'fs/promises', 'perf_hooks'];
  expect(builtins.filter((name) => unneeded.includes(name))).toEqual([]);
});

it('reads nothing of the console unless it is asked for', async () => {
  const { files } = await loadedForFirstClient();
  expect(files.some((file) => holds(file, 'process/start'))).toBe(true);
  for (const words of ['frame-ancestors', 'sec-fetch-site']) {
    expect(files.filter((file) => holds(file, words))).toEqual([]);
  }
});

it('reads the same before it listens, whether there is a console or not', async () => {
  const plain = await startReporting('address').loaded;
  const withConsole = await startReporting('address', ['--console']).loaded;
  expect(withConsole).toEqual(plain);
});
