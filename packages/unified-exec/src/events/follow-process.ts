// Turns one process into its events, from its first byte to its end.

import type { RemoteProcess } from '@codex/exec-client';
import type { EventHub } from './event-hub.js';
import { type DeltaLimits, OutputDeltas } from './output-deltas.js';

export interface Followed {
  readonly process: RemoteProcess;
  readonly callId: string;
  readonly sessionId: number;
  readonly argv: readonly string[];
  readonly limits: DeltaLimits;
  /** Resolves when no call is busy with the process: its end follows their events. */
  idle(): Promise<void>;
}

/** Begins at once; resolves when the end was told. Never rejects. */
export async function followProcess(hub: EventHub, followed: Followed): Promise<void> {
  const { process, callId, sessionId, argv, limits } = followed;
  hub.push({ type: 'begin', callId, sessionId, command: argv, cwd: process.cwd });
  const deltas = new OutputDeltas(callId, limits);
  // Ends when the process has, without waiting for output that a background child still holds open.
  for await (const event of process.events()) {
    for (const mapped of deltas.of(event)) hub.push(mapped);
  }
  for (const event of deltas.rest()) hub.push(event);
  await followed.idle();
  hub.push({ type: 'end', callId, sessionId, result: await process.result() });
}
