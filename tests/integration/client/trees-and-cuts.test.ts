// Trees whose connection breaks again and again while they are on their way.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { cuttingProxy } from './support/cutting-proxy.js';
import { describeTree } from './support/describe-tree.js';
import { describeOnEveryTarget } from './support/targets.js';

const CUTS = 5;

function makeTree(root: string): void {
  for (let folder = 0; folder < 20; folder++) {
    mkdirSync(join(root, `folder-${folder}`), { recursive: true });
    for (let file = 0; file < 30; file++) {
      const contents = `${folder} and ${file} `.repeat(1 + ((folder * file) % 500));
      writeFileSync(join(root, `folder-${folder}`, `file-${file}`), contents, { mode: 0o640 });
    }
    symlinkSync('file-1', join(root, `folder-${folder}`, 'link'));
  }
  writeFileSync(join(root, 'large'), Buffer.alloc(12_000_001, 'large'), { mode: 0o600 });
}

describeOnEveryTarget('a tree whose connection breaks', (suite) => {
  it('arrives whole, there and back', async () => {
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address, { reconnect: { intervalMs: 10 } });
    const directory = suite.directory();
    const tree = join(directory, 'tree');
    makeTree(tree);
    const transfers = [
      () => client.fs.upload(tree, join(directory, 'there')),
      () => client.fs.download(join(directory, 'there'), join(directory, 'back')),
    ];
    for (const begin of transfers) {
      const transfer = begin();
      let lastCutAt = 0;
      let cuts = 0;
      for await (const { bytes } of transfer) {
        if (cuts === CUTS || bytes - lastCutAt < 1_000_000) continue;
        lastCutAt = bytes;
        cuts++;
        proxy.cut();
      }
      expect(await transfer).toMatchObject({ files: 601, skipped: [] });
      expect(cuts).toBeGreaterThan(0);
    }
    expect(describeTree(join(directory, 'there'))).toEqual(describeTree(tree));
    expect(describeTree(join(directory, 'back'))).toEqual(describeTree(tree));
    await client.close();
    await proxy.close();
  });
});
