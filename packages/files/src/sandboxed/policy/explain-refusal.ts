// Turns failures of the sandbox into errors for the wire.
import { fsSandboxNotEnforceable, invalidParams, RpcError } from '@codex/exec-protocol';
import { FsError } from '../../fs-error.js';

/** Throws what the client is told; an error that is not about the sandbox stays as it is. */
export function explainRefusal(error: unknown): never {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  const { errno } = error as { readonly errno?: unknown };
  // The launcher says that it cannot do what the sandbox needs.
  if (errno === 'EOPNOTSUPP' && !(error instanceof FsError)) throw notEnforceable(message);
  if (typeof code !== 'string' || !code.startsWith('SANDBOX_')) throw error;
  throw code === 'SANDBOX_POLICY_INVALID' ? invalidParams(message) : notEnforceable(message);
}

export function notEnforceable(why: string): RpcError {
  const base = fsSandboxNotEnforceable();
  return new RpcError(base.code, `${base.message}: ${why}`);
}
