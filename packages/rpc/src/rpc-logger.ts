// Where a peer reports what it must not tell the remote end.

export interface RpcLogger {
  error(what: string, error: unknown): void;
}

export const SILENT_LOGGER: RpcLogger = Object.freeze({ error: () => {} });
