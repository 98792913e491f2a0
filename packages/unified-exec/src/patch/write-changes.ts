// Writes what a patch does, all of it or nothing: when one file fails, those before it are put back as they were.
//
// It does not stop others from seeing or changing the files meanwhile. Folders that were made stay, and a file that was removed
// comes back with the mode of a new one. A connection that is lost in the middle leaves a part, which is told. Each file holds
// what it did or all of what it should, also when the server dies, up to the size that one message holds and where the server can
// replace files; a file with two names then keeps the old text under the other.

import { type ExecServerClient, ExecServerError, type SandboxOption } from '@codex/exec-client';
import type { FileChange } from './plan-patch.js';
import { readFileBytes } from './read-text-file.js';

export interface WritePlace {
  readonly client: ExecServerClient;
  readonly sandbox: SandboxOption | undefined;
}

/** One file could not be written. */
export class WriteFailure extends Error {
  readonly path: string;
  /** The files that could not be put back, if any; with the one that failed where nobody knows whether it is changed. */
  readonly left: readonly string[];

  constructor(path: string, { cause, left }: { readonly cause: unknown; readonly left: readonly string[] }) {
    super(`Failed to write file ${path}`, { cause });
    this.path = path;
    this.left = left;
  }

  get isDenied(): boolean {
    return ExecServerError.is(this.cause, 'fs.denied');
  }
}

/** Of what files held before; those behind it cannot be put back. */
const MOST_KEPT = 64 * 1024 * 1024;

/** What one message holds. */
const MOST_REPLACED = 1024 * 1024;

/** What a path held: bytes, nothing, or something that cannot be put back. */
type Before = Uint8Array | 'nothing' | 'unknown';

interface Step {
  readonly path: string;
  readonly before: Before;
}

/** Throws `WriteFailure`. */
export async function writeChanges(changes: readonly FileChange[], place: WritePlace): Promise<void> {
  const { fs } = place.client;
  const options = optionsOf(place);
  const writes = changes.flatMap(({ write }) => (write === undefined ? [] : [write]));
  const removes = changes.flatMap(({ remove }) => (remove === undefined ? [] : [remove]));
  // Nothing comes before the only step.
  const isOne = writes.length + removes.length === 1;
  const done: Step[] = [];
  let kept = 0;
  const taken = async (path: string, work: () => Promise<unknown>): Promise<void> => {
    const before = isOne || kept > MOST_KEPT ? 'unknown' : await contentOf(path, place);
    kept += before instanceof Uint8Array ? before.length : 0;
    try {
      await work();
    } catch (error) {
      const steps = mayHaveChanged(error, before) ? [...done, { path, before }] : done;
      throw new WriteFailure(path, { cause: error, left: await putBack(steps, place) });
    }
    done.push({ path, before });
  };
  for (const { path, content } of writes) {
    const bytes = new TextEncoder().encode(content);
    await taken(path, () => writeWhole(path, bytes, place));
  }
  // Last, since what is removed is the hardest to put back.
  for (const path of removes) await taken(path, () => fs.remove(path, options));
}

async function writeWhole(path: string, bytes: Uint8Array, place: WritePlace): Promise<void> {
  const { client } = place;
  const options = { ...optionsOf(place), parents: true };
  // What is larger the client would rename into place, which loses the mode and replaces links.
  if (bytes.length < MOST_REPLACED && client.supports('fs.writeOptions')) {
    try {
      await client.fs.write(path, bytes, { ...options, atomic: true });
      return;
    } catch (error) {
      // A file may be writable where its folder is not.
      if (!ExecServerError.is(error, 'fs.denied')) throw error;
    }
  }
  await client.fs.write(path, bytes, options);
}

/** Without an answer nobody knows. A write that failed on the way may have left a part. */
function mayHaveChanged(error: unknown, before: Before): boolean {
  if (!(error instanceof ExecServerError && String(error.code).startsWith('fs.'))) return true;
  return ExecServerError.is(error, 'fs.io') && before instanceof Uint8Array;
}

async function contentOf(path: string, place: WritePlace): Promise<Before> {
  try {
    return await readFileBytes(place.client.fs, path, optionsOf(place));
  } catch (error) {
    return ExecServerError.is(error, 'fs.notFound') ? 'nothing' : 'unknown';
  }
}

/** The paths that are not as they were. */
async function putBack(done: readonly Step[], place: WritePlace): Promise<string[]> {
  const { fs } = place.client;
  const options = optionsOf(place);
  const left: string[] = [];
  for (const { path, before } of [...done].reverse()) {
    try {
      if (before === 'nothing') await fs.remove(path, { ...options, force: true });
      else if (before === 'unknown') left.push(path);
      else await writeWhole(path, before, place);
    } catch {
      left.push(path);
    }
  }
  return left;
}

function optionsOf({ sandbox }: Pick<WritePlace, 'sandbox'>): { readonly sandbox?: SandboxOption } {
  return sandbox === undefined ? {} : { sandbox };
}
