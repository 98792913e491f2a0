// The only error class that crosses the wire, and every message text that clients are known to match on.

export const RpcErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32004,
  sessionAttached: -32010,
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
export const notFound = error(RpcErrorCode.notFound);

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

export const emptyArgv = () => invalidParams('argv must not be empty');
export const emptyWriteId = () => invalidParams('writeId must not be empty');

export const processExists = (processId: string) => invalidRequest(`process ${processId} already exists`);
export const unknownProcess = (processId: string) => invalidRequest(`unknown process id ${processId}`);
export const processStarting = (processId: string) => invalidRequest(`process id ${processId} is starting`);
export const startCancelled = (processId: string) =>
  invalidRequest(`process ${processId} start was cancelled`);

export const stdinWriteFailed = () => internalError('failed to write to process stdin');

export const foreignCwd = (uri: string, reason: string) =>
  invalidParams(`cwd URI \`${uri}\` is not valid on this exec-server host: ${reason}`);

export const sandboxNotEnforceable = () =>
  invalidParams('sandbox intent cannot be enforced on this executor');
export const fsSandboxNotEnforceable = () =>
  invalidRequest('filesystem sandbox cannot be enforced on this executor');

export const invalidFileBase64 = (reason: string) =>
  invalidRequest(`fs/writeFile requires valid base64 dataBase64: ${reason}`);
export const notAFile = (path: string) => invalidRequest(`path \`${path}\` is not a file`);
export const notARegularFile = () => invalidRequest('path is not a regular file');
export const symlinkInPath = () => invalidRequest('path contains a symbolic link');
export const fileTooLarge = (limit: number) =>
  invalidRequest(`file is too large to read: limit is ${limit} bytes`);

export const unknownFileHandle = (handleId: string) => notFound(`unknown file handle \`${handleId}\``);
export const fileHandleExists = (handleId: string) =>
  invalidRequest(`file read handle \`${handleId}\` already exists`);
export const fileHandleIdTooLong = (limit: number) =>
  invalidRequest(`file read handle ID must not exceed ${limit} bytes`);
export const tooManyFileHandles = (limit: number) =>
  invalidRequest(`at most ${limit} file reads may be open per connection`);
export const badBlockLength = (limit: number) =>
  invalidRequest(`file read block length must be between 1 and ${limit}`);

export const copyNeedsRecursive = () =>
  invalidRequest('fs/copy requires recursive: true when sourcePath is a directory');
export const copyIntoItself = () =>
  invalidRequest('fs/copy cannot copy a directory to itself or one of its descendants');
export const copyUnsupportedKind = () =>
  invalidRequest('fs/copy only supports regular files, directories, and symlinks');

export const walkLimitsZero = () => invalidRequest('filesystem walk limits must be greater than zero');
export const walkLimitsTooLarge = (limits: { depth: number; directories: number; entries: number }) =>
  invalidRequest(
    `filesystem walk limits exceed maximums: depth=${limits.depth}, directories=${limits.directories}, entries=${limits.entries}`,
  );
export const tooManyDirectoryEntries = (count: number, limit: number) =>
  internalError(`fs/readDirectory returned ${count} entries; limit is ${limit}`);
export const recursiveNoFollowRemove = () => internalError('recursive no-follow removal is unsupported');
