// The errors of a listener that refuses to start.

import { CodedError } from '@codex/exec-protocol';

export type ListenErrorCode =
  | 'LISTEN_HOST_NOT_AN_ADDRESS'
  | 'LISTEN_NEEDS_AUTH'
  | 'LISTEN_NEEDS_TLS'
  | 'LISTEN_ORIGIN_NEEDS_AUTH'
  | 'LISTEN_ORIGIN_INVALID'
  | 'LISTEN_SECRET_FILE'
  | 'LISTEN_SECRET_INVALID'
  | 'LISTEN_CONSOLE_FILES'
  | 'LISTEN_FAILED';

export class ListenError extends CodedError<ListenErrorCode> {}
