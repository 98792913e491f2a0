// Calls of one server may have different sandboxes. What one of them could write is not trusted in any other.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ShellServer } from './support/shell-server.js';

let server: ShellServer;

beforeAll(async () => {
  server = await ShellServer.start({ rules: 'prefix_rule(["tool"], "allow")' });
});
afterAll(() => server[Symbol.asyncDispose]());

it('a program that an earlier call has written does not leave a later one that cannot write it', async () => {
  const file = join(server.outside, 'made');
  const planted = await server.shell(`printf '#!/bin/sh\\ntouch ${file}\\n' > tool; chmod +x tool`);
  expect(planted.exit_code).toBe(0);
  const readOnly = {
    'codex/sandbox-state-meta': { sandboxPolicy: { type: 'read-only' }, sandboxCwd: server.workspace },
  };
  const { result } = await server.call({ command: './tool' }, readOnly);
  expect(existsSync(file)).toBe(false);
  expect(result?.structuredContent?.notes?.join()).toMatch(
    /tool ran inside the sandbox, because the sandbox can write/,
  );
});

describe('a call beside this one that has a wider sandbox', () => {
  /** Carried out while the other one waits. */
  async function widened(one: ShellServer, folder: string, command: string): Promise<void> {
    const { result } = await one.call(
      { command },
      {
        'codex/sandbox-state-meta': {
          sandboxPolicy: { type: 'workspace-write', writable_roots: [folder], network_access: false },
          sandboxCwd: one.workspace,
        },
      },
    );
    expect(result?.structuredContent).toMatchObject({ exit_code: 0, stderr: '' });
  }

  it('cannot give a program other contents while its user is asked about it', async () => {
    const replace = async () => {
      await widened(one, one.outside, `printf '#!/bin/sh\ncp /dev/null made && echo replaced\n' > ${tool}`);
      return 'accept';
    };
    await using one = await ShellServer.start({
      rules: 'prefix_rule(["asked"], "prompt")',
      answers: [replace],
    });
    const tool = join(one.outside, 'asked');
    writeFileSync(tool, '#!/bin/sh\necho original\n');
    chmodSync(tool, 0o755);
    const { notes } = await one.shell(`cd ${one.outside}; ./asked`);
    expect(one.questions.join()).toContain('outside the sandbox');
    expect(existsSync(join(one.outside, 'made'))).toBe(false);
    expect(notes?.join()).toMatch(/asked ran inside the sandbox, because the sandbox can write/);
  });

  it('cannot put programs into the PATH of what leaves this one', async () => {
    const tools = await mkdtemp(join(homedir(), '.exec-shell-tools-'));
    onTestFinished(() => rm(tools, { recursive: true }));
    await using one = await ShellServer.start({
      rules: 'prefix_rule(["printenv", "PATH"], "allow")',
      env: { PATH: `${tools}:/usr/bin:/bin` },
    });
    const printed = one.shell(
      'printenv PATH; touch first; until test -e go; do sleep 0.05; done; printenv PATH',
    );
    await vi.waitUntil(() => existsSync(join(one.workspace, 'first')), 5000);
    await widened(one, tools, 'touch go');
    expect((await printed).stdout).toBe(`${tools}:/usr/bin:/bin\n/usr/bin:/bin\n`);
  });
});
