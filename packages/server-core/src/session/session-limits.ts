// How many sessions there may be, and how long one outlives its connection.

export interface SessionLimits {
  readonly maxSessions: number;
  /** How long a session that can be resumed waits for its client, unless the client asked for another time. */
  readonly sessionTtlMs: number;
  /** The longest time a client may ask for. */
  readonly maxSessionTtlMs: number;
  /** How long the holder of a session may be silent before a client that resumes it takes it over. */
  readonly takeoverProbeMs: number;
}

export const DEFAULT_SESSION_LIMITS: SessionLimits = {
  maxSessions: 256,
  sessionTtlMs: 80_000,
  maxSessionTtlMs: 24 * 60 * 60 * 1000,
  takeoverProbeMs: 2000,
};
