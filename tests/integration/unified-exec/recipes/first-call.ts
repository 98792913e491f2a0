import { ExecServerClient } from '@codex/exec-client';
import { workspaceWrite } from '@codex/sandbox';
import { UnifiedExec } from '@codex/unified-exec';

export async function recipe(
  url: Parameters<typeof ExecServerClient.connect>[0],
  project: string,
  console: { log(text: string): void },
): Promise<void> {
  // readme
  const client = await ExecServerClient.connect(url);
  const exec = new UnifiedExec(client, { cwd: project, sandbox: workspaceWrite() });
  const { text } = await exec.dispatch('exec_command', '{"cmd":"ls; touch /usr/denied"}');
  console.log(text); // what a model reads
  await exec[Symbol.asyncDispose](); // ends every command that still runs
  await client.close();
  // end
}
