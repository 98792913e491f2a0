// So many connections, each with processes that print: lines, blocks, and now and then a lot. A process of its own, so that
// who measures beside it is not slowed down by reading all that. Says "ready" when all run, then what came in each second.
//   busy-clients.ts URL CONNECTIONS CHATTER
import { BenchClient } from '../subjects/bench-client.js';

const [, , url = '', connections = '0', chatter = ''] = process.argv;

/** Bytes and milliseconds of each process: twelve that print a line, six that print a page, two that print much. */
const PROCESSES = [
  ...Array.from({ length: 12 }, () => ['80', '500']),
  ...Array.from({ length: 6 }, () => ['4096', '200']),
  ...Array.from({ length: 2 }, () => ['65536', '1000']),
];

let bytes = 0;
for (let count = 0; count < Number(connections); count += 1) {
  const client = await BenchClient.connect(url);
  await Promise.all(
    PROCESSES.map(
      (words) =>
        new Promise<void>((resolve, reject) => {
          const started = (): void => resolve();
          client
            .run({ argv: [chatter, ...words], started }, (_method, { chunk }) => {
              bytes += ((chunk?.length ?? 0) / 4) * 3;
            })
            .catch(reject);
        }),
    ),
  );
}
console.log('ready');
setInterval(() => {
  console.log(String(bytes));
  bytes = 0;
}, 1000);
process.stdin.on('end', () => process.exit()).resume();
