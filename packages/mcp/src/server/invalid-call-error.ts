// A call that is refused before anything runs: JSON-RPC error -32602.

import { CodedError } from '@codex/exec-protocol';

export class InvalidCallError extends CodedError<'MCP_CALL_INVALID'> {
  constructor(message: string) {
    super('MCP_CALL_INVALID', message);
  }
}
