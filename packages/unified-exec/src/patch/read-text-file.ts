// A whole file, if it is one of a bearable size.

import { type ExecServerClient, ExecServerError } from '@codex/exec-client';

type Fs = ExecServerClient['fs'];
type ReadOptions = NonNullable<Parameters<Fs['readStream']>[1]>;

const MAX_BYTES = 16 * 1024 * 1024;

export async function readTextFile(fs: Fs, path: string, options: ReadOptions): Promise<string> {
  const bytes = await readFileBytes(fs, path, options);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unfit('it is not UTF-8 text', cause);
  }
}

export async function readFileBytes(fs: Fs, path: string, options: ReadOptions): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let size = 0;
  for await (const block of fs.readStream(path, options)) {
    size += block.length;
    if (size > MAX_BYTES) throw unfit(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    blocks.push(block);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}

function unfit(why: string, cause?: unknown): ExecServerError {
  return new ExecServerError('output.invalid', why, { details: { format: 'text', text: '' }, cause });
}
