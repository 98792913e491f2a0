// A client that writes and never reads: what it has not taken keeps no server alive when it goes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));
const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
};
/** More than the pipe and both ends of it hold. */
const ANSWERS = 500;

it.each(['exec-mcp-server', 'mcp-server'])(
  '%s ends with its input',
  async (word) => {
    const folder = mkdtempSync(join(homedir(), '.exec-unread-'));
    const child = spawn(process.execPath, [PROGRAM, word], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    const send = (message: object): boolean =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({ id: 0, ...INITIALIZE });
    await once(child.stdout, 'readable');
    for (let id = 1; id <= ANSWERS; id += 1) send({ id, method: 'tools/list' });
    // By now the server writes what nobody takes.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const gone = once(child, 'exit');
    const since = Date.now();
    child.stdin.end();
    expect(await gone).toEqual([0, null]);
    expect(Date.now() - since).toBeLessThan(4000);
  },
  20_000,
);
