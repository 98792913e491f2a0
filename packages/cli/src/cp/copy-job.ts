// What both directions of a copy are given.

import { randomBytes } from 'node:crypto';
import type { ExecServerClient, Progress, Transfer } from '@codex/exec-client';
import type { ProgressLine } from './progress-line.js';

export interface CopyJob {
  readonly client: ExecServerClient;
  readonly local: string;
  readonly remote: string;
  readonly recursive: boolean;
  readonly force: boolean;
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

/** A name beside the target under which it is written until it is whole. */
export function partialName(path: string): string {
  const slash = path.lastIndexOf('/');
  const [directory, name] = [path.slice(0, slash + 1), path.slice(slash + 1)];
  return `${directory}.${name}.${randomBytes(6).toString('hex')}.part`;
}

/** Follows one transfer to its end. */
export async function follow(transfer: Transfer<unknown>, progress: ProgressLine): Promise<void> {
  let seen = 0;
  for await (const { bytes } of transfer as AsyncIterable<Progress>) {
    progress.bytes(bytes - seen);
    seen = bytes;
  }
}
