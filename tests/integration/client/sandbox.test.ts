import { existsSync } from 'node:fs';
import type { SpawnOptions } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

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
  it('is denied as an outcome, not as an error', async () => {
    const client = await suite.connect();
    const path = `${suite.directory()}/denied`;
    const ended = await client.run(['touch', path], { sandbox: READ_ONLY });
    expect(ended).toMatchObject({ ok: false, outcome: { kind: 'denied', exitCode: 1 } });
    await expect(Promise.resolve(client.fs.write(path, 'x', { sandbox: READ_ONLY }))).rejects.toMatchObject({
      code: 'fs.denied',
    });
    expect(existsSync(path)).toBe(false);
  });
});
