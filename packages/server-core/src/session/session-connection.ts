// The interface of a connection as its session sees it.
import type { ProcessClient } from '../process/process-table.js';

export interface SessionConnection extends ProcessClient {
  /** Who the transport says the peer is. */
  readonly identity: string;
  /** When the peer was last heard, as epoch milliseconds; undefined where that is not known. */
  readonly heardAt?: number | undefined;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** Whether the client asked to be told who watches and who acts. */
  readonly interventions?: boolean;
  /** Asks the peer for a sign of life. */
  probe(timeoutMs: number): Promise<boolean>;
  close(code?: number, reason?: string): void;
}
