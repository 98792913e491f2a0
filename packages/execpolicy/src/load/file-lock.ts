// One writer of a file at a time, among programs that use this package. The lock is a file beside it; one that was left
// by a program that is gone is taken over after ten seconds.

import { open, stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExecPolicyError } from '../exec-policy-error.js';

const RETRY_MS = 10;
const STALE_MS = 10_000;
const MOST_WAIT_MS = 15_000;

export async function withFileLock(lock: string, file: string, run: () => Promise<void>): Promise<void> {
  await acquire(lock, file);
  try {
    await run();
  } finally {
    await unlink(lock);
  }
}

async function acquire(lock: string, file: string): Promise<void> {
  for (const deadline = Date.now() + MOST_WAIT_MS; Date.now() < deadline; await sleep(RETRY_MS)) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'EEXIST') {
        const reason = error instanceof Error ? error.message : String(error);
        throw new ExecPolicyError('RULES_UNWRITABLE', reason, file, { cause: error });
      }
      await removeStale(lock);
    }
  }
  throw new ExecPolicyError('RULES_UNWRITABLE', `${lock} is held by another program`, file);
}

async function removeStale(lock: string): Promise<void> {
  try {
    if (Date.now() - (await stat(lock)).mtimeMs > STALE_MS) await unlink(lock);
  } catch {
    // Its owner has released it meanwhile.
  }
}
