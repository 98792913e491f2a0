// Which file system serves a request, by the sandbox it asks for. A restriction that cannot be enforced here is
// refused; nothing is ever served unrestricted because its policy was not understood.
import { fsSandboxNotEnforceable, type SandboxContext } from '@codex/exec-protocol';
import type { FileSystem } from '../file-system.js';
import { localFileSystem } from '../local/local-file-system.js';

/** Serves what a policy restricts. */
export type RestrictedFileSystems = (sandbox: SandboxContext) => FileSystem | Promise<FileSystem>;

type Sandbox = SandboxContext | null | undefined;

/** At once for a request without restrictions; without `restricted` every other one is refused. */
export function chooseFileSystem(sandbox: Sandbox): FileSystem;
export function chooseFileSystem(
  sandbox: Sandbox,
  restricted: RestrictedFileSystems | undefined,
): FileSystem | Promise<FileSystem>;
export function chooseFileSystem(
  sandbox: Sandbox,
  restricted?: RestrictedFileSystems,
): FileSystem | Promise<FileSystem> {
  if (!isRestricted(sandbox)) return localFileSystem;
  return restricted === undefined ? refuseRestricted() : restricted(sandbox);
}

export function refuseRestricted(): never {
  throw fsSandboxNotEnforceable();
}

/** False for the policies under which a file request runs in the server itself, as the peer decides it. */
export function isRestricted(sandbox: Sandbox): sandbox is SandboxContext {
  if (sandbox === null || sandbox === undefined) return false;
  const { permissions } = sandbox;
  if (permissions === undefined) return true;
  if (permissions.type === 'disabled' || permissions.type === 'external') return false;
  return permissions.type !== 'managed' || permissions.file_system.type !== 'unrestricted';
}
