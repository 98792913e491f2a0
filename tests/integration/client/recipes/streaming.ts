import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  const build = await client.spawn('for i in 1 2 3; do echo step $i; sleep 0.1; done');
  for await (const line of build.stdout.lines()) {
    console.log(line);
    if (line === 'step 2') break; // the command does not notice
  }
  console.log(await build.wait()); // { kind: 'exited', exitCode: 0 }
  // end
}
