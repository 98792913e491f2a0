// Whether a request asks for a sandbox that restricts files, as the peer decides it: by the shape of what it sent.
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
