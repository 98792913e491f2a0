// Local failures of calls and transports. They never cross the wire.

import { CodedError } from '@codex/exec-protocol';

export type RpcTransportErrorCode =
  | 'RPC_CLOSED'
  | 'RPC_CALL_LIMIT'
  | 'RPC_CALL_ABORTED'
  | 'RPC_CALL_TIMEOUT'
  | 'RPC_BAD_MESSAGE';

export class RpcTransportError extends CodedError<RpcTransportErrorCode> {}
