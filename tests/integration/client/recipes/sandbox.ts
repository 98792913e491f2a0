import type { ExecServerClient } from '@codex/exec-client';
import { readOnly } from '@codex/sandbox';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  const { outcome } = await client.run('touch /usr/here', { cwd: '/tmp', sandbox: readOnly() });
  if (outcome.kind === 'denied') console.log(outcome.kind, outcome.denial.reason, outcome.denial.path);
  // denied read_only_file_system /usr/here
  // end
}
