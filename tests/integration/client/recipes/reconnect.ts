import { type ConnectTarget, ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(url: ConnectTarget, console: Output, cutTheCable: () => void): Promise<void> {
  // readme
  const client = await ExecServerClient.connect(url, {
    reconnect: { maxElapsedMs: 10_000 },
    onEvent: ({ type }) => console.log(type),
  });
  const counting = await client.spawn('for i in 1 2 3 4 5; do echo $i; sleep 0.1; done');
  cutTheCable();
  const { stdout } = await counting.result();
  console.log(stdout.lines.join(' ')); // 1 2 3 4 5
  const ref = counting.detach(); // JSON; another client may `attach` with `resume: ref`
  await client.close();
  // end
  console.log(ref.processId === counting.id);
}
