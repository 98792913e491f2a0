// The limits of the http slice.

export interface HttpLimits {
  /** Requests of one connection that are under way, streams included. */
  readonly maxHttpRequestsPerConnection: number;
  /** A larger body must be streamed: a client with a 64 MiB message limit could not take it in one reply. */
  readonly maxHttpBodyBytes: number;
  /** Bodies that one connection has asked for in one piece, all together, until their replies are handed over. */
  readonly maxHttpBufferedBytesPerConnection: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxHttpRequestsPerConnection: 256,
  maxHttpBodyBytes: 47 * MIB,
  maxHttpBufferedBytesPerConnection: 128 * MIB,
};
