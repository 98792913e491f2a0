import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  await using process = await client.spawn('echo compiling; sleep 1; echo done', { tty: true });
  const first = await process.yieldWindow({ ms: 300 });
  console.log(first.state, first.output.text); // running compiling
  const second = await process.yieldWindow({ ms: 10_000, maxBytes: 20_000 });
  if (second.state === 'finished') console.log(second.outcome.kind, second.output.text); // exited done
  // end
}
