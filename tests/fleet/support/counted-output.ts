// Output whose every byte is known, and a digest of what arrived.

import { createHash } from 'node:crypto';
import type { ExecServerClient } from '@codex/exec-client';

/** Numbered lines of a fixed length, so that any loss, repetition or change of order shows. */
const LINE = (number: number): string => `${String(number).padStart(15, '0')}\n`;

export function numberedCommand(lines: number): string[] {
  return ['awk', `BEGIN { for (i = 1; i <= ${lines}; i++) printf "%015d\\n", i }`];
}

export function numberedDigest(lines: number): string {
  const hash = createHash('sha256');
  for (let number = 1; number <= lines; number++) hash.update(LINE(number));
  return hash.digest('hex');
}

/** Runs it to its end; `onBytes` is told how much has arrived. */
export async function receiveNumbered(
  client: ExecServerClient,
  lines: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ readonly digest: string; readonly bytes: number; readonly exitCode: number | null }> {
  const process = await client.spawn(numberedCommand(lines));
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of process.stdout.bytes()) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(bytes);
  }
  const { exitCode } = await process.wait();
  return { digest: hash.digest('hex'), bytes, exitCode };
}
