// Somebody who types one character after the other on a terminal, and waits for each to come back.
import type { BenchClient } from '../subjects/bench-client.js';

/** Types one character and resolves when it has come back. */
export type Typist = () => Promise<void>;

export function startTypist(client: BenchClient): Promise<Typist> {
  return new Promise((ready, fail) => {
    let onEcho: () => void = () => undefined;
    let writes = 0;
    const started = (processId: string) =>
      ready(async () => {
        const echoed = new Promise<void>((resolve) => {
          onEcho = resolve;
        });
        writes += 1;
        await Promise.all([
          client.call('process/write', { processId, chunk: 'eA==', writeId: `w${writes}` }),
          echoed,
        ]);
      });
    client
      .run({ argv: ['cat'], tty: true, started }, (method) => {
        if (method === 'process/output') onEcho();
      })
      .catch(fail);
  });
}
