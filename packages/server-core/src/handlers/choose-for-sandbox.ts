// What serves a request, by the sandbox it asks for: the server itself, or a helper of the session under that policy.

import type { FileSystem, RestrictedFiles, Watcher } from '@codex/exec-files';
import { chooseFileSystem, isRestricted, refuseRestricted } from '@codex/exec-files';
import type { SandboxContext } from '@codex/exec-protocol';
import type { RequestContext } from './handler-table.js';

export type Sandbox = SandboxContext | null | undefined;

export type FileSystemChooser = (
  sandbox: Sandbox,
  context: RequestContext,
) => FileSystem | Promise<FileSystem>;

/** A policy is read in the turn of its request; one that makes no sense fails that request only. */
export function fileSystemChooser(restricted: RestrictedFiles | undefined): FileSystemChooser {
  if (restricted === undefined) return (sandbox) => chooseFileSystem(sandbox);
  return (sandbox, { session }) =>
    chooseFileSystem(sandbox, (restriction) => restricted.fileSystem(session, restriction));
}

/** Undefined: the server itself watches. */
export type WatcherChooser = (sandbox: Sandbox, context: RequestContext) => Promise<Watcher | undefined>;

export function watcherChooser(restricted: RestrictedFiles | undefined): WatcherChooser {
  return async (sandbox, { session }) => {
    if (!isRestricted(sandbox)) return undefined;
    if (restricted === undefined) return refuseRestricted();
    return restricted.watcher(session, sandbox);
  };
}
