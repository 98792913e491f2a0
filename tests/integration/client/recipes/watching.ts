import { type ConnectTarget, ExecObserver } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(url: ConnectTarget, console: Output): Promise<void> {
  // readme
  await using observer = await ExecObserver.connect(url);
  const { processes } = await observer.processes();
  for (const { session, process } of processes) {
    for await (const event of await observer.watch({ session, processId: process.processId })) {
      if (event.type === 'output') console.log(event.seq, Buffer.from(event.bytes).toString());
      if (event.type === 'gap') console.log(`${event.bytes} bytes are gone`);
    }
  }
  // end
}
