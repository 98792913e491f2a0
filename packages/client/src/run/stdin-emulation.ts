// Whole inputs on servers that cannot end a pipe: `head` passes on exactly as many bytes as there are and then ends
// the command's input for it. Signals and exit codes stay those of the command; a missing program shows as code 127.

import type { EnvironmentInfo } from '@codex/exec-protocol';
import { unsupported } from '../capabilities.js';
import { concat } from '../head-tail-buffer.js';
import type { CommandLine } from '../process/start/command-line.js';
import type { Input } from '../spawn-options.js';

export interface EmulatedInput {
  readonly line: CommandLine;
  readonly bytes: Uint8Array;
}

export async function emulateWholeInput(
  line: CommandLine,
  input: Input,
  info: EnvironmentInfo,
): Promise<EmulatedInput> {
  if (info.platformOs === 'windows') {
    throw unsupported('stdin.end', 'Input with an end', info.executorVersion ?? undefined);
  }
  const bytes = await collect(input);
  const argv = ['/bin/sh', '-c', 'head -c "$0" | "$@"', String(bytes.length), ...line.argv];
  return { line: { argv, shown: line.shown }, bytes };
}

async function collect(input: Input): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  if (typeof input === 'string') return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    chunks.push(bytes);
    total += bytes.length;
  }
  return concat(chunks, total);
}
