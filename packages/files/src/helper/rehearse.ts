// Serves itself what most helpers are asked for, so that V8 has compiled what that takes.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFrame } from '../helper-protocol/frames.js';
import type { ToHelper } from '../helper-protocol/helper-messages.js';
import { HelperService } from './serve-frames.js';

export async function rehearse(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-fs-')));
  const path = join(folder, 'file');
  const call = (id: number, operation: string, args: object) =>
    ({ type: 'call', id, operation, args }) as ToHelper;
  const rules = [{ path: folder, access: 'write' }] as const;
  const service = new HelperService(() => undefined);
  try {
    for (const message of [
      {
        type: 'policy',
        policy: { rules, denyGlobs: [], protectedNames: [], fullDiskWrite: false },
        places: [],
      },
      call(1, 'writeFile', { path, options: {} }),
      call(2, 'readFile', { path, maxBytes: 1024 }),
      call(3, 'getMetadata', { path }),
      call(4, 'readDirectory', { path: folder, maxEntries: 10 }),
      call(5, 'writeFile', { path, options: {} }),
      call(6, 'readFile', { path, maxBytes: 1024 }),
    ] satisfies ToHelper[]) {
      for (const block of encodeFrame(message)) service.push(Buffer.from(block));
      await service.untilWaiting();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
