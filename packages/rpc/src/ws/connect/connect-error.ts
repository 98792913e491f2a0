// The errors of a websocket connection that could not be made.

import { CodedError } from '@codex/exec-protocol';

export type ConnectErrorCode =
  | 'CONNECT_BAD_URL'
  | 'CONNECT_REFUSED'
  | 'CONNECT_FAILED'
  | 'CONNECT_TIMEOUT'
  | 'CONNECT_NO_SOCKET'
  | 'CONNECT_ABORTED'
  | 'CONNECT_UNAUTHORIZED'
  | 'CONNECT_FORBIDDEN'
  | 'CONNECT_NOT_A_WEBSOCKET';

export class ConnectError extends CodedError<ConnectErrorCode> {}
