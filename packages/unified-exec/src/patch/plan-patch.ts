// What a patch does to which files, worked out before anything is written.

import { absolutePath } from './absolute-path.js';
import { SearchBudget } from './find-lines.js';
import type { FilePatch } from './parse-patch.js';
import { patchFailure } from './patch-failure.js';
import { patchedText } from './patched-text.js';
import { reasonOf } from './reason-of.js';

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
  /** Where a path leads to; the path itself where nothing is. */
  locate(path: string): Promise<string>;
}

/** What all files of one patch may hold together: it is in memory until the last of them is written. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

export async function planPatch(files: readonly FilePatch[], place: PatchPlace): Promise<FileChange[]> {
  await refuseTwice(files, place);
  const budget = new SearchBudget();
  const changes: FileChange[] = [];
  let characters = 0;
  for (const file of files) {
    const change = await planFile(file, place, budget);
    characters += change.write?.content.length ?? 0;
    if (characters > MOST_CHARACTERS) {
      const most = `${MOST_CHARACTERS / 1024 / 1024} MiB`;
      throw patchFailure(
        `invalid patch: its files are larger than ${most} together`,
        'Write several patches.',
      );
    }
    changes.push(change);
  }
  return changes;
}

/** A file that is the subject of two operations, be it by another name, would lose what the first did to it. */
async function refuseTwice(files: readonly FilePatch[], { cwd, locate }: PatchPlace): Promise<void> {
  const subjects = files.map((file) => pathsOf(file, cwd));
  refuseCommon(subjects.map((paths) => paths.map((path) => ({ path, place: path }))));
  if (subjects.length === 1) return;
  const located: Located[][] = [];
  for (const paths of subjects) {
    located.push(await Promise.all(paths.map(async (path) => ({ path, place: await locate(path) }))));
  }
  refuseCommon(located);
}

interface Located {
  readonly path: string;
  readonly place: string;
}

function refuseCommon(subjects: readonly (readonly Located[])[]): void {
  const known = new Map<string, number>();
  for (const [index, located] of subjects.entries()) {
    for (const { path, place } of located) {
      if ((known.get(place) ?? index) !== index) {
        const hint = 'Put all changes of a file under one header.';
        throw patchFailure(`invalid patch: multiple operations target ${path}`, hint);
      }
      known.set(place, index);
    }
  }
}

function pathsOf(file: FilePatch, cwd: string): string[] {
  const moveTo = file.kind === 'update' ? file.moveTo : undefined;
  return [file.path, ...(moveTo === undefined ? [] : [moveTo])].map((path) => absolutePath(cwd, path));
}

async function planFile(
  file: FilePatch,
  { cwd, read, locate }: PatchPlace,
  budget: SearchBudget,
): Promise<FileChange> {
  const path = absolutePath(cwd, file.path);
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
  const content = patchedText(original, file.chunks, { path, budget });
  const target = file.moveTo === undefined ? path : absolutePath(cwd, file.moveTo);
  // Another name of the same file, through a link: to remove it would be to lose it.
  const isMoved = target !== path && (await locate(target)) !== (await locate(path));
  return {
    kind: 'updated',
    path: file.moveTo ?? file.path,
    write: { path: target, content },
    ...(isMoved ? { remove: path } : {}),
  };
}
