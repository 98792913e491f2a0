// What a patch does to which files, worked out before anything is written.

import { ExecServerError } from '@codex/exec-client';
import { absolutePath } from './absolute-path.js';
import type { FilePatch } from './parse-patch.js';
import { patchFailure } from './patch-failure.js';
import { patchedText } from './patched-text.js';

export interface FileChange {
  readonly kind: 'added' | 'updated' | 'deleted';
  /** As the patch names it; of an update that moves the file, its new name. */
  readonly path: string;
  /** What is written, and where. */
  readonly write?: { readonly path: string; readonly content: string };
  readonly remove?: string;
}

export interface PatchPlace {
  readonly cwd: string;
  /** The text of a file; rejects where it is none. */
  read(path: string): Promise<string>;
}

export async function planPatch(
  files: readonly FilePatch[],
  { cwd, read }: PatchPlace,
): Promise<FileChange[]> {
  const paths = files.map(({ path }) => absolutePath(cwd, path));
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) {
    const hint = 'Put all changes of a file under one header.';
    throw patchFailure(`invalid patch: multiple operations target ${twice}`, hint);
  }
  const changes: FileChange[] = [];
  for (const [index, file] of files.entries())
    changes.push(await planFile(file, paths[index] ?? '', { cwd, read }));
  return changes;
}

async function planFile(file: FilePatch, path: string, { cwd, read }: PatchPlace): Promise<FileChange> {
  if (file.kind === 'add') {
    return { kind: 'added', path: file.path, write: { path, content: file.content } };
  }
  const isUpdate = file.kind === 'update';
  let original: string;
  try {
    original = await read(path);
  } catch (error) {
    const what = isUpdate ? 'file to update ' : '';
    throw patchFailure(`Failed to read ${what}${path}: ${reasonOf(error)}`, 'Check the path.', error);
  }
  if (!isUpdate) return { kind: 'deleted', path: file.path, remove: path };
  const content = patchedText(original, file.chunks, path);
  const target = file.moveTo === undefined ? path : absolutePath(cwd, file.moveTo);
  return {
    kind: 'updated',
    path: file.moveTo ?? file.path,
    write: { path: target, content },
    ...(target === path ? {} : { remove: path }),
  };
}

/** The server's own words: those of the client begin with the path. */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof ExecServerError ? error : { cause: undefined };
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}
