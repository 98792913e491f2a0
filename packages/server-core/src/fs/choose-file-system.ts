// Which file system serves a request, by the sandbox it asks for. A restriction that cannot be enforced here is
// refused; nothing is ever served unrestricted because its policy was not understood.
import { fsSandboxNotEnforceable, RpcError, type SandboxContext } from '@codex/exec-protocol';
import type { FileSystem } from './file-system.js';
import { localFileSystem } from './local-file-system.js';

/** Serves what a policy restricts. */
export type RestrictedFileSystems = (sandbox: SandboxContext) => Promise<FileSystem>;

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
  if (sandbox === null || sandbox === undefined || isUnrestricted(sandbox)) return localFileSystem;
  if (restricted === undefined) throw fsSandboxNotEnforceable();
  return restricted(sandbox);
}

/** For what runs in the server itself and has no form inside a sandbox. */
export function assertUnrestricted(sandbox: Sandbox, what: string): void {
  if (sandbox === null || sandbox === undefined || isUnrestricted(sandbox)) return;
  const { code, message } = fsSandboxNotEnforceable();
  throw new RpcError(
    code,
    `${message}: ${what} works only without a sandbox or with one that restricts no files`,
  );
}

/** The policies under which a file request runs in the server itself, as the peer decides it. */
function isUnrestricted({ permissions }: SandboxContext): boolean {
  if (permissions === undefined) return false;
  if (permissions.type === 'disabled' || permissions.type === 'external') return true;
  return permissions.type === 'managed' && permissions.file_system.type === 'unrestricted';
}
