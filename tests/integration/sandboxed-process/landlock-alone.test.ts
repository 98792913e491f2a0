// A server on a host without bubblewrap: what a command under Landlock alone can and cannot do, asked for over the wire.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecServerOptions } from '@codex/exec-server-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawClient } from '../process/support/raw-client.js';
import { readOnlySandbox } from './support/policies.js';

const PROGRAM = fileURLToPath(new URL('../process/support/server-program.ts', import.meta.url));

/** For this server /usr/bin/bwrap is no program. */
async function connect(options: ExecServerOptions): Promise<RawClient> {
  const node = [process.execPath, '--conditions=@codex/source', '--import', 'tsx', PROGRAM];
  const hidden = ['--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap', '--die-with-parent'];
  const child = spawn('/usr/bin/bwrap', [...hidden, ...node, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const client = await RawClient.connect(line.toString().trim());
  onTestFinished(async () => {
    client.cut();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await client.initialize();
  return client;
}

describe('Landlock alone, over the wire', () => {
  const workspace = () => {
    const path = realpathSync(mkdtempSync(join(homedir(), '.exec-sandbox-test-')));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    writeFileSync(join(path, 'file'), 'text', { mode: 0o600 });
    return path;
  };
  const params = (cwd: string, script: string) => ({
    processId: 'p',
    argv: ['/bin/sh', '-c', script],
    cwd,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    tty: false,
    sandbox: readOnlySandbox(),
  });

  it('is refused when nobody has accepted it', async () => {
    const client = await connect({});
    const refused = await client.refusal('process/start', params(workspace(), 'true'));
    expect(refused.message).toContain('host-proc');
  });

  it('accepted, it holds what it promises, and the denial has its evidence', async () => {
    const client = await connect({ acceptedForms: ['host-proc', 'root-capabilities'] });
    const cwd = workspace();
    const before = statSync(join(cwd, 'file'));
    const script =
      'cat file; chmod 777 file; echo x > new; prlimit --pid $PPID --nofile=0; sleep 0.3; exit 1';
    const { sandboxType } = await client.call('process/start', params(cwd, script));
    expect(sandboxType).toBe('linuxSeccomp');
    await client.untilClosed('p');
    expect(client.bytesOf('p', 'stdout').toString()).toBe('text');
    const errors = client.bytesOf('p', 'stderr').toString();
    expect(errors.match(/Operation not permitted|Permission denied/g)).toHaveLength(3);
    expect(statSync(join(cwd, 'file')).mode).toBe(before.mode);
    expect(await client.call('process/wait', { processId: 'p' })).toMatchObject({
      sandboxDenied: true,
      denial: { reason: 'operation_not_permitted', path: 'file' },
    });
  });
});
