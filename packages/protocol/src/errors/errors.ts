// The only error class that crosses the wire, and the message texts that more than one place gives or matches on. What
// only the file system says is worded where it arises (@codex/exec-files).

export const RpcErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32004,
  sessionAttached: -32010,
  notPermitted: -32011,
} as const;

export type RpcErrorCode = (typeof RpcErrorCode)[keyof typeof RpcErrorCode];

export class RpcError extends Error {
  /** One of `RpcErrorCode` when this side made it; any integer when a peer sent it. */
  readonly code: number;
  declare readonly data?: unknown;

  constructor(
    code: number,
    message: string,
    options: { readonly data?: unknown; readonly cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.data !== undefined) this.data = options.data;
    Object.defineProperty(this, 'name', { value: 'RpcError', configurable: true });
  }
}

const error = (code: RpcErrorCode) => (message: string) => new RpcError(code, message);

export const invalidRequest = error(RpcErrorCode.invalidRequest);
export const invalidParams = error(RpcErrorCode.invalidParams);
export const internalError = error(RpcErrorCode.internal);

// upstream: exec-server/src/server/request_dispatcher.rs:180 – the wording is theirs, "stub" included.
export const methodNotFound = (method: string) =>
  new RpcError(RpcErrorCode.methodNotFound, `exec-server stub does not implement \`${method}\` yet`);

export const notInitialized = (family: string) =>
  invalidRequest(`client must call initialize before using ${family} methods`);

export const notAcknowledged = (family: string) =>
  invalidRequest(`client must send initialized before using ${family} methods`);

export const alreadyInitialized = () => invalidRequest('initialize may only be sent once per connection');

export const unexpectedNotification = (method: string) =>
  invalidRequest(`exec-server does not accept the notification \`${method}\``);

export const unknownSession = (sessionId: string) => invalidRequest(`unknown session id ${sessionId}`);

export const sessionAlreadyAttached = (sessionId: string) =>
  new RpcError(
    RpcErrorCode.sessionAttached,
    `session ${sessionId} is already attached to another connection`,
  );

export const sessionResumedElsewhere = () => invalidRequest('session has been resumed by another connection');

export const notPermitted = (message: string) => new RpcError(RpcErrorCode.notPermitted, message);

export const emptyArgv = () => invalidParams('argv must not be empty');
export const emptyWriteId = () => invalidParams('writeId must not be empty');

export const processExists = (processId: string) => invalidRequest(`process ${processId} already exists`);
export const unknownProcess = (processId: string) => invalidRequest(`unknown process id ${processId}`);
export const startCancelled = (processId: string) =>
  invalidRequest(`process ${processId} start was cancelled`);

export const foreignCwd = (uri: string, reason: string) =>
  invalidParams(`cwd URI \`${uri}\` is not valid on this exec-server host: ${reason}`);

export const sandboxNotEnforceable = () =>
  invalidParams('sandbox intent cannot be enforced on this executor');
export const fsSandboxNotEnforceable = () =>
  invalidRequest('filesystem sandbox cannot be enforced on this executor');

export const invalidFileBase64 = (reason: string) =>
  invalidRequest(`fs/writeFile requires valid base64 dataBase64: ${reason}`);
