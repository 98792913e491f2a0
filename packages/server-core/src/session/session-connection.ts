// What a session needs to know of the connection it is attached to.
import type { ProcessClient } from '../process/process-table.js';

export interface SessionConnection extends ProcessClient {
  /** Who the transport says the peer is. */
  readonly identity: string;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** Asks the peer for a sign of life. */
  probe(timeoutMs: number): Promise<boolean>;
  close(code?: number, reason?: string): void;
}
