// Forwards the standard input to the command: as it comes where the server can close it, in one piece where it
// cannot.

import type { ExecServerClient, RemoteProcess, SpawnOptions } from '@codex/exec-client';
import { ExecServerError } from '@codex/exec-client';

const PATIENCE_MS = 2_000;

/** What the start request says about the input. */
export async function inputOption(
  client: ExecServerClient,
  { tty, none, note }: { readonly tty: boolean; readonly none: boolean; note(text: string): void },
): Promise<NonNullable<SpawnOptions['stdin']>> {
  if (none && !tty) return 'none';
  if (tty || client.supports('stdin.end') || process.stdin.isTTY) return 'pipe';
  const data = await wholeInput(note);
  return data.length === 0 ? 'none' : { data };
}

/** Reads keys or bytes until the input ends or the command takes no more. Never rejects. */
export async function forwardInput(
  remote: RemoteProcess,
  options: { onBytes?(bytes: Uint8Array): void; note(text: string): void },
): Promise<void> {
  try {
    for await (const bytes of process.stdin as AsyncIterable<Buffer>) {
      options.onBytes?.(bytes);
      await remote.stdin.write(bytes);
    }
    await remote.stdin.end();
  } catch (error) {
    if (ExecServerError.is(error, 'unsupported')) {
      options.note('this server cannot end the input of a running command; Ctrl-C interrupts it');
    }
    // Otherwise the command has ended or closed its input, or the connection is gone: the outcome tells.
  }
}

async function wholeInput(note: (text: string) => void): Promise<Uint8Array> {
  const hint = setTimeout(
    () => note('this server takes input only as a whole: waiting for its end (--no-stdin starts without it)'),
    PATIENCE_MS,
  );
  const blocks: Buffer[] = [];
  try {
    for await (const block of process.stdin as AsyncIterable<Buffer>) blocks.push(block);
  } finally {
    clearTimeout(hint);
  }
  return Buffer.concat(blocks);
}
