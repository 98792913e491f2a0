// Maps the entries of an upload to remote paths, and creates what must exist before their contents are written.

import type { LocalEntry } from '../platform.js';
import { joinPath } from '../remote-path.js';
import { writeFile } from './file-writer.js';
import type { FsContext, FsOptions } from './fs-context.js';
import { bitsToTake, closeModes, removalOf } from './keep-modes.js';

export interface UploadJob {
  readonly fs: FsContext;
  readonly remote: string;
  readonly options: FsOptions;
}

export function targetOf({ fs, remote }: UploadJob, { path }: LocalEntry): string {
  return fs.absolute(path === '' ? remote : joinPath(remote, path));
}

/** Makes the directories and the private files, empty, and closes what has to be closed before anything is in it. */
export async function prepareUpload(job: UploadJob, entries: readonly LocalEntry[]): Promise<void> {
  const { fs, options } = job;
  const byRemoval = new Map<string, string[]>();
  for (const entry of entries) {
    const path = targetOf(job, entry);
    const bits = fs.hasModes ? bitsToTake(entry) : 0;
    if (entry.kind === 'directory') {
      const params = { path: fs.uri(path), recursive: true, ...fs.sandboxOf(options) };
      await fs.call('fs/createDirectory', params, { path, repeatable: true, signal: options.signal });
    } else if (bits !== 0) {
      await writeFile(fs, path, {
        data: '',
        options: { ...options, parents: entry.path === '' },
        onBytes() {},
      });
    }
    const removal = removalOf(bits);
    if (removal !== '') byRemoval.set(removal, [...(byRemoval.get(removal) ?? []), path]);
  }
  await closeModes(fs, byRemoval, options);
}
