import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  await using shell = await client.spawn('printf "name? "; read -r name; echo "hello $name"', { tty: true });
  await shell.waitFor('name? ', { timeoutMs: 5000 });
  await shell.stdin.write('Ada\n');
  const { match } = await shell.waitFor(/hello (\w+)/, { timeoutMs: 5000 });
  console.log(match[1]); // Ada
  // end
}
