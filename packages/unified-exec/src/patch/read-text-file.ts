// A whole file as text, if it is one of a bearable size.

import { type ExecServerClient, ExecServerError } from '@codex/exec-client';

type Fs = ExecServerClient['fs'];

const MAX_BYTES = 16 * 1024 * 1024;

export async function readTextFile(
  fs: Fs,
  path: string,
  options: NonNullable<Parameters<Fs['readStream']>[1]>,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let bytes = 0;
  for await (const block of fs.readStream(path, options)) {
    bytes += block.length;
    if (bytes > MAX_BYTES) throw unfit(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    text += decoded(decoder, block);
  }
  return text + decoded(decoder);
}

function decoded(decoder: InstanceType<typeof TextDecoder>, block?: Uint8Array): string {
  try {
    return block === undefined ? decoder.decode() : decoder.decode(block, { stream: true });
  } catch (cause) {
    throw unfit('it is not UTF-8 text', cause);
  }
}

function unfit(why: string, cause?: unknown): ExecServerError {
  return new ExecServerError('output.invalid', why, { details: { format: 'text', text: '' }, cause });
}
