// The client's watch with a sandbox.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import type { SandboxContext } from '@codex/exec-protocol';
import { expect, it, onTestFinished } from 'vitest';
import { setUpSandboxed, workspaceOnly } from './support/sandboxed-fs-fixture.js';

it('tells a client what its sandbox shows', async () => {
  const { server, ws, outside } = await setUpSandboxed();
  const client = await ExecServerClient.connect({ channel: server.connectInMemory() });
  onTestFinished(() => client.close());
  expect(client.supports('fs.sandboxedWatch')).toBe(true);
  const sandbox = workspaceOnly(ws) as SandboxContext;
  const watch = client.fs.watch(ws, { sandbox });
  await watch.ready;
  writeFileSync(join(ws, 'seen'), '');
  expect(await watch.next()).toMatchObject({ value: { type: 'created', path: join(ws, 'seen') } });
  await watch.return();
  await expect(client.fs.watch(outside, { sandbox }).next()).rejects.toMatchObject({ code: 'fs.notFound' });
});
