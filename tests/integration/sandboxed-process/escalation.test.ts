// What the Codex client sends when the user approves that a command leaves its sandbox under a profile with denied reads:
// a writable root, the denials, and a word that says so.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../process/support/served-server.js';
import { setUpSandboxed } from '../sandboxed-fs/support/sandboxed-fs-fixture.js';

let workspace = '';
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(homedir(), '.exec-sandbox-test-')));
  mkdirSync(join(workspace, 'secret'));
  writeFileSync(join(workspace, 'secret/key'), 'hunter2');
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const escalated = (more: object = {}) => ({
  permissions: {
    type: 'managed',
    file_system: {
      type: 'restricted',
      entries: [
        { path: { type: 'special', value: { kind: 'root' } }, access: 'write' },
        { path: { type: 'path', path: `file://${workspace}/secret` }, access: 'deny' },
      ],
    },
    network: 'enabled',
  },
  cwd: `file://${workspace}`,
  workspaceRoots: [`file://${workspace}`],
  windowsSandboxLevel: 'disabled',
  sandboxOverride: 'escalatedSandboxWithRestrictions',
  ...more,
});

describe('an approved escalation', () => {
  it.each(['escalatedSandboxWithRestrictions', 'noOverride', 'bypassSandboxFirstAttempt', null])(
    'writes everywhere and reads nothing that is denied: %s',
    async (sandboxOverride) => {
      const client = await (await serve()).client();
      const outside = realpathSync(mkdtempSync(join(homedir(), '.exec-sandbox-test-')));
      const params = {
        processId: 'p',
        argv: ['/bin/sh', '-c', `cat secret/key; echo x > ${outside}/file && echo wrote; exit 3`],
        cwd: `file://${workspace}`,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
        tty: false,
        sandbox: escalated({ sandboxOverride }),
      };
      const { sandboxType } = await client.call('process/start', params);
      expect(sandboxType).toBe('linuxSeccomp');
      await client.untilClosed('p');
      expect(client.bytesOf('p', 'stdout').toString()).toBe('wrote\n');
      expect(existsSync(join(outside, 'file'))).toBe(true);
      rmSync(outside, { recursive: true });
    },
  );

  it('an override of another name is refused', async () => {
    const client = await (await serve()).client();
    const params = { processId: 'p', argv: ['true'], cwd: workspace, env: {}, tty: false };
    const refused = await client.refusal('process/start', {
      ...params,
      sandbox: escalated({ sandboxOverride: 'somethingElse' }),
    });
    expect(refused.code).toBe(-32602);
  });

  it('is announced where it can be enforced, and holds for files too', async () => {
    const { client } = await setUpSandboxed();
    const { capabilities } = await client.call<{ capabilities: Record<string, boolean> }>(
      'environment/info',
      {},
    );
    expect(capabilities['linuxApprovedRootWritePreservesRestrictions']).toBe(true);
    const file = join(workspace, 'new');
    await client.call('fs/writeFile', { path: file, dataBase64: 'eA==', sandbox: escalated() });
    expect(existsSync(file)).toBe(true);
    const denied = { path: join(workspace, 'secret/key'), sandbox: escalated() };
    expect((await client.refusal('fs/readFile', denied)).message).toContain('Permission denied');
  });
});
