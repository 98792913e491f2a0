// Writes what a patch does, all of it or nothing: when one file fails, those before it are put back as they were.
//
// It does not stop others from seeing or changing the files meanwhile. Folders that were made stay, and a file that was removed
// comes back with the mode of a new one. A connection that is lost in the middle leaves a part, which is told.

import { type ExecServerClient, ExecServerError, type SandboxOption } from '@codex/exec-client';
import type { FileChange } from './plan-patch.js';
import { readFileBytes } from './read-text-file.js';

type Fs = ExecServerClient['fs'];
export interface WritePlace {
  readonly fs: Fs;
  readonly sandbox: SandboxOption | undefined;
}

/** One file could not be written. */
export class WriteFailure extends Error {
  /** The files that could not be put back, if any. */
  readonly left: readonly string[];

  constructor(path: string, { cause, left }: { readonly cause: unknown; readonly left: readonly string[] }) {
    super(`Failed to write file ${path}`, { cause });
    this.left = left;
  }

  get isDenied(): boolean {
    return ExecServerError.is(this.cause, 'fs.denied');
  }
}

/** Of what files held before; those behind it cannot be put back. */
const MOST_KEPT = 64 * 1024 * 1024;

/** What a path held: bytes, nothing, or something that cannot be put back. */
type Before = Uint8Array | 'nothing' | 'unknown';

interface Step {
  readonly path: string;
  readonly before: Before;
}

/** Throws `WriteFailure`. */
export async function writeChanges(changes: readonly FileChange[], place: WritePlace): Promise<void> {
  const { fs } = place;
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
      throw new WriteFailure(path, { cause: error, left: await putBack(done, place) });
    }
    done.push({ path, before });
  };
  for (const { path, content } of writes) {
    const bytes = new TextEncoder().encode(content);
    await taken(path, async () => fs.write(path, bytes, { ...options, parents: true }));
  }
  // Last, since what is removed is the hardest to put back.
  for (const path of removes) await taken(path, () => fs.remove(path, options));
}

async function contentOf(path: string, { fs, sandbox }: WritePlace): Promise<Before> {
  try {
    return await readFileBytes(fs, path, optionsOf({ fs, sandbox }));
  } catch (error) {
    return ExecServerError.is(error, 'fs.notFound') ? 'nothing' : 'unknown';
  }
}

/** The paths that are not as they were. */
async function putBack(done: readonly Step[], place: WritePlace): Promise<string[]> {
  const { fs } = place;
  const options = optionsOf(place);
  const left: string[] = [];
  for (const { path, before } of [...done].reverse()) {
    try {
      if (before === 'nothing') await fs.remove(path, { ...options, force: true });
      else if (before === 'unknown') left.push(path);
      else await fs.write(path, before, options);
    } catch {
      left.push(path);
    }
  }
  return left;
}

function optionsOf({ sandbox }: WritePlace): { readonly sandbox?: SandboxOption } {
  return sandbox === undefined ? {} : { sandbox };
}
