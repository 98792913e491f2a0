import { type ConnectTarget, ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(url: ConnectTarget, console: Output): Promise<void> {
  const token = 'a token';
  // readme
  await using client = await ExecServerClient.connect(url, { token });
  console.log(await client.$`echo hi`.text()); // hi
  // end
}
