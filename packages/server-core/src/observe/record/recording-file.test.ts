import type { FileHandle } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { RecordingFile } from './recording-file.js';

it('gives back what it claimed and could not write', async () => {
  let isFull = false;
  const handle = {
    write: (bytes: Uint8Array) =>
      isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve({ bytesWritten: bytes.length }),
    close: () => Promise.resolve(),
  } as unknown as FileHandle;
  const told: number[][] = [];
  const file = new RecordingFile(Promise.resolve(handle), {
    claim: () => Promise.resolve(true),
    closed: (written, claimed) => told.push([written, claimed]),
  });
  const drained = () => new Promise<void>((resolve) => (file.onDrain = resolve));
  const first = drained();
  file.write('fits');
  await first;
  isFull = true;
  const second = drained();
  file.write('does not');
  await second;
  await expect(file.close()).rejects.toThrow('ENOSPC');
  expect(told).toEqual([[4, 12]]);
});
