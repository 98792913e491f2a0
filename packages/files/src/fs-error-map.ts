// Maps the kinds of file errors to their codes on the wire.
import { RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { type FsErrorCode, toFsError } from './fs-error.js';

// upstream: exec-server/src/server/file_system_handler.rs:309
const RPC_CODE: Readonly<Record<FsErrorCode, number>> = {
  FS_NOT_FOUND: RpcErrorCode.notFound,
  FS_INVALID_INPUT: RpcErrorCode.invalidRequest,
  FS_PERMISSION_DENIED: RpcErrorCode.invalidRequest,
  FS_OTHER: RpcErrorCode.internal,
};

export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const failure = toFsError(error);
  return new RpcError(RPC_CODE[failure.code], failure.message, { cause: failure });
}
