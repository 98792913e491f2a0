import { type ExecServerClient, ExecServerError } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  try {
    await client.fs.readText('/no/such/file');
  } catch (error) {
    if (!ExecServerError.is(error, 'fs.notFound')) throw error;
    console.log(error.code, error.details.path, error.retryable); // fs.notFound /no/such/file false
  }
  if (!client.supports('pty.resize')) console.log('terminals keep their size here');
  // end
}
