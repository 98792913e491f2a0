import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  const { outcome, stdout } = await client.run('echo started; sleep 60', {
    timeoutMs: 500,
    stop: { graceMs: 200 }, // interrupt, wait, kill, confirm
  });
  if (outcome.kind === 'timedOut') console.log(`stopped after ${outcome.timeoutMs} ms: ${stdout.text}`);
  // end
}
