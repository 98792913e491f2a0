// Decides whether a request asks for a sandbox that restricts files, from the shape of the request alone, as the peer
// does.
import type { SandboxContext } from '@codex/exec-protocol';

export type RequestedSandbox = SandboxContext | null | undefined;

/** False for the requests that run in the server itself. What is not understood counts as a restriction. */
export function isSandboxed(sandbox: RequestedSandbox): sandbox is SandboxContext {
  if (sandbox === null || sandbox === undefined) return false;
  const { permissions } = sandbox;
  if (permissions === undefined) return true;
  if (permissions.type === 'disabled' || permissions.type === 'external') return false;
  return permissions.type !== 'managed' || permissions.file_system.type !== 'unrestricted';
}
