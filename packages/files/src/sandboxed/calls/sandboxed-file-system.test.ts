import { expect, it, vi } from 'vitest';
import type { HelperSource } from './helper-source.js';
import { sandboxedFileSystem } from './sandboxed-file-system.js';

it('every call that cannot be made rejects, none throws', async () => {
  const source = { call: vi.fn(), use: vi.fn(), hold: vi.fn() } satisfies HelperSource;
  const files = sandboxedFileSystem(source);
  const noPath = undefined as never;
  const outcomes = Object.values(files).map((method: (...args: never[]) => Promise<unknown>) =>
    method(noPath, {} as never, { formatPath: String } as never),
  );
  expect(outcomes).toHaveLength(13);
  for (const { status } of await Promise.allSettled(outcomes)) expect(status).toBe('rejected');
  expect(source.call).not.toHaveBeenCalled();
});
