import { type ConnectTarget, ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(url: ConnectTarget, console: Output): Promise<void> {
  // readme
  const client = await ExecServerClient.connect(url);
  const result = await client.run('echo hello; echo oops >&2; exit 3');
  console.log(result.ok, result.exitCode); // false 3
  console.log(result.stdout.text, result.stderr.lines); // hello ['oops']
  await client.close();
  // end
}
