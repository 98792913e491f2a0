// `-` as a side of a copy: the standard input, or the standard output.

import { DescriptorSink } from '../run/descriptor-sink.js';
import { alreadyThere, CopyError } from './copy-error.js';
import { type CopyJob, follow } from './copy-job.js';
import { put, statOrNothing } from './upload.js';

const STDOUT = 1;

export function isStandardStream(place: string): boolean {
  return place === '-';
}

/** As a file from here: a new one has its name only when the input has ended. */
export async function uploadInput(job: CopyJob): Promise<string> {
  const { client, remote, progress, signal } = job;
  const existing = await statOrNothing(job, remote);
  if (existing?.kind === 'directory' || remote.endsWith('/'))
    throw new CopyError(`say under which name the input is to be stored in ${remote}`);
  if (existing !== undefined && !job.force) throw alreadyThere(remote);
  progress.file('stdin');
  // An input that says nothing would hold up the end otherwise.
  signal.addEventListener('abort', () => process.stdin.destroy(new CopyError('interrupted')), { once: true });
  await put(job, { path: remote, existing }, ({ root, atomic }) =>
    follow(client.fs.write(root, process.stdin, { signal, ...(atomic ? { atomic } : {}) }), progress),
  );
  return remote;
}

export async function downloadToOutput({ client, remote, progress, signal }: CopyJob): Promise<string> {
  const { kind, size } = await client.fs.stat(remote, { signal });
  if (kind === 'directory') throw new CopyError(`${remote} is a directory; the output takes a file`);
  if (kind === 'file') progress.total(size);
  progress.file(remote);
  const sink = new DescriptorSink(STDOUT);
  for await (const block of client.fs.readStream(remote, { signal })) {
    await sink.write(block);
    progress.bytes(block.length);
  }
  return 'the standard output';
}
