import { existsSync } from 'node:fs';
import { ExecServerError, type SpawnOptions } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './targets.js';

const READ_ONLY: SpawnOptions['sandbox'] = {
  permissions: {
    type: 'managed',
    network: 'restricted',
    file_system: {
      type: 'restricted',
      entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }],
    },
  },
  cwd: 'file:///tmp',
  workspaceRoots: [],
  windowsSandboxLevel: 'disabled',
};

describeOnEveryTarget('a sandboxed command', (suite) => {
  it('is denied as an outcome, or refused by a server without a sandbox; it never runs outside one', async () => {
    const client = await suite.connect();
    const path = `${suite.directory()}/denied`;
    const ended = await client.run(['touch', path], { sandbox: READ_ONLY }).catch((error: unknown) => error);
    if (ended instanceof Error) {
      if (!ExecServerError.is(ended, 'process.spawn')) throw ended;
      expect(ended.details.reason).toBe('sandbox');
    } else {
      expect(ended).toMatchObject({ ok: false, outcome: { kind: 'denied', exitCode: 1 } });
    }
    await expect(Promise.resolve(client.fs.write(path, 'x', { sandbox: READ_ONLY }))).rejects.toMatchObject({
      code: 'fs.denied',
    });
    expect(existsSync(path)).toBe(false);
  });
});
