// The state that starting and attaching share, and the feed of a new handle.

import { type ResultWithPayload, RpcError } from '@codex/exec-protocol';
import { sleep } from '@codex/exec-rpc';
import type { Capabilities } from '../../capabilities.js';
import type { SessionLink } from '../../session/session-link.js';
import type { SpawnOptions } from '../../spawn-options.js';
import { unknownProcess } from '../control/process-stdin.js';
import { ProcessFeed } from '../events/process-feed.js';
import type { ProcessRegistry } from '../events/process-registry.js';

export interface LaunchContext {
  readonly link: SessionLink;
  readonly registry: ProcessRegistry;
  readonly capabilities: Capabilities;
  readFile(path: string): Promise<Uint8Array>;
}

const BUFFER_BYTES = 16 * 1024 * 1024;
const CAPTURE_BYTES = 1024 * 1024;
const STARTING_RETRY_MS = 50;
const STARTING_ATTEMPTS = 40;

export function createFeed(
  { link }: LaunchContext,
  processId: string,
  options: Pick<SpawnOptions, 'drain' | 'capture' | 'bufferBytes'>,
  afterSeq = 0,
): ProcessFeed {
  return new ProcessFeed({
    processId,
    clock: link.clock,
    bufferBytes: options.bufferBytes ?? BUFFER_BYTES,
    captureBytes: options.capture?.maxBytes ?? CAPTURE_BYTES,
    drain: options.drain ?? {},
    afterSeq,
    read: (after) => readMissed(link, processId, after),
  });
}

async function readMissed(
  link: SessionLink,
  processId: string,
  afterSeq: number,
): Promise<ResultWithPayload<'process/read'>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await link.call(
        'process/read',
        { processId, afterSeq, maxBytes: null, waitMs: 0 },
        { repeatable: true },
      );
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (!error.message.endsWith('is starting') || attempt === STARTING_ATTEMPTS)
        throw unknownProcess(processId);
      await sleep(link.clock, STARTING_RETRY_MS);
    }
  }
}
