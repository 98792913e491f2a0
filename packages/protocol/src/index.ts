// The exec-server wire protocol: everything both sides share, without a Node import or a runtime dependency. Exports are
// named one by one, so that the linter finds the ones that nothing uses; the wire types are all of the protocol's.
export type { Clock, Timer } from './clock.js';
export { CodedError } from './errors/coded-error.js';
export {
  alreadyInitialized,
  emptyArgv,
  emptyWriteId,
  foreignCwd,
  fsSandboxNotEnforceable,
  internalError,
  invalidFileBase64,
  invalidParams,
  invalidRequest,
  methodNotFound,
  notAcknowledged,
  notInitialized,
  notPermitted,
  processExists,
  RpcError,
  RpcErrorCode,
  sandboxNotEnforceable,
  sessionAlreadyAttached,
  sessionResumedElsewhere,
  startCancelled,
  unexpectedNotification,
  unknownProcess,
  unknownSession,
} from './errors/errors.js';
export { osErrorText, withErrno } from './errors/os-error-text.js';
export type * from './generated/wire-types.js';
export {
  DEFAULT_PTY_COLS,
  DEFAULT_PTY_ROWS,
  FIRST_TREE_BYTES,
  MAX_DIRECTORY_ENTRIES,
  MAX_EXCLUDE_LENGTH,
  MAX_EXCLUDE_PATTERN_LENGTH,
  MAX_EXCLUDE_PATTERNS,
  MAX_FILE_BLOCK_BYTES,
  MAX_FILE_HANDLE_ID_BYTES,
  MAX_HTTP_BODY_DELTA_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_OPEN_FILES_PER_CONNECTION,
  MAX_READ_FILE_BYTES,
  MAX_TREE_DEPTH,
  MAX_TREE_ENTRIES,
  MAX_WALK_DEPTH,
  MAX_WALK_DIRECTORIES,
  MAX_WALK_ENTRIES,
  MAX_WALK_RESPONSE_BYTES,
  NO_REQUEST_ID,
  TREE_ENTRY_BYTES,
  TREE_PAYLOAD_BYTES,
  WALK_ITEM_OVERHEAD_BYTES,
} from './limits.js';
export { METHOD_CAPABILITIES, PAYLOAD_MEMBERS, RESULT_PAYLOADS } from './method-lists.js';
export {
  type ClientRequestMethod,
  isClientRequest,
  isMethod,
  METHODS,
  type MethodCapability,
  type ParamsOf,
  type ResultOf,
  type ServerNotificationMethod,
} from './methods.js';
export { oldNodeComplaint } from './node-version.js';
export {
  formatPath,
  type PathForm,
  PathUriError,
  parsePathBytes,
  parsePathInput,
  pathToFileUri,
} from './path/path-uri.js';
export type { ParamsWithPayload, ResultWithPayload } from './payload-types.js';
export { AsciicastWriter, type CastHeader, withCarriageReturns } from './text/asciicast.js';
export { findSecrets, isSecretName, SECRET_MASK } from './text/find-secrets.js';
export { spelledOut, visibleText } from './text/visible-text.js';
export type {
  Tracer,
  TracingApi,
  TracingContext,
  TracingSpan,
  TracingSpanContext,
} from './tracing-api.js';
export { compileExcludes, type Excludes } from './tree/exclude-patterns.js';
export { lookPastAppend } from './tree/look-past-append.js';
export { spreadOverDirectories } from './tree/spread-over-directories.js';
export { staysInside, treeNames } from './tree/tree-path.js';
export {
  BEARER_PROTOCOL_PREFIX,
  offeredProtocols,
  TICKET_PROTOCOL_PREFIX,
  tokenOfProtocol,
  WEB_SOCKET_PROTOCOL,
} from './web-socket-protocols.js';
export { decodeBase64, encodeBase64 } from './wire/base64.js';
export { explainBase64 } from './wire/base64-plain.js';
export {
  BINARY_HEADER_BYTES,
  BINARY_KIND,
  type BinaryParts,
  binaryParts,
  binaryText,
  hasPayload,
  materializeBinary,
  parseBinaryMessage,
  readBinaryHeader,
  writeBinaryHeader,
} from './wire/binary-message.js';
export {
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  materialize,
} from './wire/encode-message.js';
export { LEAST_PAYLOAD_BYTES } from './wire/long-string.js';
export { MalformedMessageError } from './wire/malformed-message-error.js';
export { type IncomingMessage, parseMessage } from './wire/parse-message.js';
export { type Payload, payloadBytes, payloadsAsText, placePayloads } from './wire/payload.js';
export {
  blockResult,
  encodeHttpBodyDelta,
  encodeOutputNotification,
  encodeWatchedOutput,
  fileResult,
  httpResult,
  observedFileResult,
  observeReadResult,
  readResultWithChunks,
  snapshotResult,
  treeResult,
} from './wire/payload-messages.js';
export { type PayloadMembers, parsePayloadRequest } from './wire/payload-request.js';
export { idOfRefused, REQUEST_LIMITS, type RequestLimits, refuseTooLong } from './wire/request-limits.js';
export { type RequestId, type WireMessage, WireResult, type WireSegments } from './wire/wire-message.js';
