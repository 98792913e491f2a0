// A client that comes back to its session and reads what it missed, the way the Codex client does.
import type { EventCollector } from '../../process/support/numbered-output.js';
import type { RawClient } from '../../process/support/raw-client.js';

export interface ReadResult {
  readonly chunks: { seq: number; chunk: string }[];
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly closed: boolean;
  readonly omitted: { fromSeq: number; toSeq: number; bytes: number } | null;
}

/** Reads what was missed, the way the Codex client does, then takes what is sent. */
export async function recover(client: RawClient, collector: EventCollector): Promise<ReadResult> {
  const early: Parameters<EventCollector['take']>[0][] = [];
  client.onEvent = (event) => early.push(event);
  const result = await client.call<ReadResult>('process/read', {
    processId: 'p',
    afterSeq: collector.nextSeq - 1,
    maxBytes: null,
    waitMs: 0,
  });
  for (const { seq, chunk } of result.chunks) collector.take({ seq, bytes: Buffer.from(chunk, 'base64') });
  // A reply that is whole also speaks for the exit and the close.
  if (result.closed) collector.finish(result.nextSeq);
  for (const event of early) collector.take(event);
  client.onEvent = (event) => collector.take(event);
  return result;
}

export async function resume(
  connect: (params: Record<string, unknown>) => Promise<RawClient>,
  resumeSessionId: string,
): Promise<RawClient> {
  for (let attempt = 0; ; attempt++) {
    try {
      const client = await connect({ resumeSessionId });
      client.keepEvents = false;
      return client;
    } catch (error) {
      // As the Codex client does: the server may not have noticed the cut yet.
      if (attempt > 50 || !String(error).includes('-32010')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
