// Which file system serves a request, by the sandbox it asks for. A restriction that cannot be enforced here is
// refused; nothing is ever served unrestricted because its policy was not understood.
import { fsSandboxNotEnforceable, type SandboxContext } from '@codex/exec-protocol';
import type { FileSystem } from './file-system.js';
import { localFileSystem } from './local-file-system.js';

export function chooseFileSystem(sandbox: SandboxContext | null | undefined): FileSystem {
  if (sandbox === null || sandbox === undefined || isUnrestricted(sandbox)) return localFileSystem;
  throw fsSandboxNotEnforceable();
}

/** The policies under which a file request runs in the server itself, as the peer decides it. */
function isUnrestricted({ permissions }: SandboxContext): boolean {
  if (permissions === undefined) return false;
  if (permissions.type === 'disabled' || permissions.type === 'external') return true;
  return permissions.type === 'managed' && permissions.file_system.type === 'unrestricted';
}
