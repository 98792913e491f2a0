// Paths of the server's machine: plain strings for callers, `file:` URIs on the wire, which every server takes.

import { type EnvironmentInfo, parsePathInput, pathToFileUri } from '@codex/exec-protocol';
import { show } from '@codex/exec-protocol/options';
import { invalidArgument } from './exec-server-error.js';

/** An absolute path; a relative one starts at the server's working directory. */
export function remotePath(path: string, { cwd }: Pick<EnvironmentInfo, 'cwd'>): string {
  checkPath(path);
  if (path.startsWith('/')) return path;
  if (path.startsWith('file:')) return fromFileUri(path);
  if (cwd == null)
    throw invalidArgument('path', `the server does not say where ${path} starts; use an absolute path`);
  return `${fromFileUri(cwd)}/${path}`;
}

export function toFileUri(path: string): string {
  return pathToFileUri(path);
}

/** Servers that were asked with a URI answer with one; a plain path is taken as it is. */
export function fromFileUri(text: string): string {
  return parsePathInput(text).path;
}

export function joinPath(directory: string, name: string): string {
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function checkPath(path: unknown): void {
  if (typeof path !== 'string') throw invalidArgument('path', `a path is a string, not ${show(path)}`);
  if (path === '') throw invalidArgument('path', 'an empty path names nothing');
}
