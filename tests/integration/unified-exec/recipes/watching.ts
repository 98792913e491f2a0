import type { ExecServerClient } from '@codex/exec-client';
import { UnifiedExec } from '@codex/unified-exec';

/** The part of the console that recipes use. */
export interface Output {
  log(...values: unknown[]): void;
}

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  const exec = new UnifiedExec(client);
  const watching = (async () => {
    for await (const event of exec.events()) {
      if (event.type === 'begin') console.log('begin', event.callId);
      if (event.type === 'delta') console.log(new TextDecoder().decode(event.bytes).trim());
      if (event.type === 'end') console.log('end', event.result.exitCode);
    }
  })();
  await exec.execCommand({ cmd: 'echo compiling; exit 3' }, { callId: 'call-1' });
  await exec[Symbol.asyncDispose](); // ends every command that still runs
  await watching;
  // end
}
