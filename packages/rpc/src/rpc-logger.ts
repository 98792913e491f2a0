// The logger interface of a peer, for failures that the remote end must not see.

export interface RpcLogger {
  error(what: string, error: unknown): void;
}

export const SILENT_LOGGER: RpcLogger = Object.freeze({ error: () => {} });
