// A server without its launcher program says at its start what it cannot promise.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ExecServerProgram } from '../support/exec-server-program.js';

const DIST = fileURLToPath(new URL('../../../../apps/codex/dist/', import.meta.url));
const ARGS = ['exec-server', '--quiet', '--no-config'];

it.runIf(process.platform === 'linux')('warns of each weakness, and says what is missing', async () => {
  const folder = mkdtempSync('/var/tmp/missing-launcher-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(DIST, join(folder, 'dist'), { recursive: true });
  const child = spawn(process.execPath, [join(folder, 'dist', 'codex.js'), ...ARGS]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child.stdout, 'data');
  await expect.poll(() => said).toContain('Landlock');
  const lines = said.trim().split('\n');
  expect(lines.every((line) => / WARN +/.test(line))).toBe(true);
  expect(lines[0]).toContain(`prebuilt/linux-${process.arch}/codex-launcher`);
  expect(said).toContain('(a daemon) survives killTree');
  expect(said).toContain('commands go on running');
});

it('says nothing where the launcher program is', async () => {
  await using server = new ExecServerProgram(ARGS);
  await server.url();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(server.stderr).toBe('');
});
