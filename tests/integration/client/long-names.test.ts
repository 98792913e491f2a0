// A tree whose names are longer than the text of a message may be.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { ExecServer } from '@codex/exec-server-core';
import { expect, it, onTestFinished } from 'vitest';

it('arrives in several messages', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'exec-long-names-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const server = new ExecServer();
  onTestFinished(() => server.shutdown());
  const client = await ExecServerClient.connect({ channel: () => server.connectInMemory() });
  const deep = join(directory, 'tree', ...Array.from({ length: 13 }, () => '深'.repeat(80)));
  mkdirSync(deep, { recursive: true });
  for (let index = 0; index < 1400; index++) writeFileSync(join(deep, String(index)), '');
  const sent = await client.fs.upload(join(directory, 'tree'), join(directory, 'there'));
  expect(sent).toMatchObject({ files: 1400 });
  expect(readdirSync(deep.replace('/tree/', '/there/'))).toHaveLength(1400);
  await client.close();
});
