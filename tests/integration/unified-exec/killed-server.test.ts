// A server that dies in the middle of a patch: each file holds its old text or its new one, and the answer names what is changed.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { ExecServerClient } from '@codex/exec-client';
import { UnifiedExec } from '@codex/unified-exec';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';
import { outside } from './support/watched.js';

const FILES = 50;
const REST = `${'x'.repeat(99)}\n`.repeat(10_000);

/** Kills at the first change of a file: in a thread of its own, which is quicker than a write of so much. */
const KILLER = `
  const { parentPort, workerData: { path, pid } } = require('node:worker_threads');
  const { statSync } = require('node:fs');
  const seen = () => { const { ino, size } = statSync(path); return ino + ' ' + size; };
  const before = seen();
  parentPort.postMessage('looking');
  while (seen() === before);
  process.kill(pid, 'SIGKILL');
`;

let folder: ReturnType<typeof outside>;
beforeEach(() => {
  folder = outside();
});
afterEach(() => folder.remove());

it('a kill while a patch of 50 files is written leaves no part of a text', async () => {
  const index = 11;
  const old = Array.from({ length: FILES / 2 }, (_, at) => `${folder.path}/old-${at}.txt`);
  const added = Array.from({ length: FILES / 2 }, (_, at) => `${folder.path}/new-${at}.txt`);
  for (const path of old) writeFileSync(path, `old\n${REST}`);
  const body = [
    ...old.map((path) => `*** Update File: ${path}\n@@\n-old\n+newer`),
    ...added.map((path) => `*** Add File: ${path}\n+added`),
  ].join('\n');
  await using server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
  const client = await ExecServerClient.connect(await server.url(), { reconnect: false });
  const exec = new UnifiedExec(client);
  try {
    const workerData = { path: old[index], pid: server.child.pid };
    const killer = new Worker(KILLER, { eval: true, workerData });
    await once(killer, 'message');
    const applied = exec.applyPatch(`*** Begin Patch\n${body}\n*** End Patch`);
    await server.exited;
    const output = await applied;
    expect(output).toMatchObject({ isError: true, error: { code: 'tool.patch' } });
    const changed = old.filter((path) => readFileSync(path, 'utf8') !== `old\n${REST}`);
    expect(changed.filter((path) => readFileSync(path, 'utf8') !== `newer\n${REST}`)).toEqual([]);
    expect(changed.length).toBeGreaterThan(index);
    expect(changed.filter((path) => !output.text.includes(path))).toEqual([]);
    // A busy machine may be late with the kill.
    for (const path of added.filter((name) => existsSync(name))) {
      expect(readFileSync(path, 'utf8')).toBe('added\n');
      expect(output.text).toContain(path);
    }
  } finally {
    await exec[Symbol.asyncDispose]();
    await client.close();
  }
});
