// Short commands that write and exit at once: every byte arrives, in order, on pipes and on ptys.
import { describe, expect, it } from 'vitest';
import { serve } from './support/served-server.js';
import { times } from './support/soak.js';

const count = times({ usual: 60, soak: 500 });

/** Numbered lines, so many bytes of them, in one write, and out. */
const burst = (bytes: number) => [
  '/bin/sh',
  '-c',
  `exec awk 'BEGIN { while (length(s) < 65536) s = s sprintf("%d\\n", i++); n = ${bytes}; while (n > 65536) { printf "%s", substr(s, 1, 65536); n -= 65536 } printf "%s", substr(s, 1, n) }'`,
];

function expectedBurst(bytes: number): string {
  let block = '';
  for (let i = 0; block.length < 65536; i++) block += `${i}\n`;
  block = block.slice(0, 65536);
  return block.repeat(Math.ceil(bytes / 65536)).slice(0, bytes);
}

describe.each([
  ['pipe', false],
  ['pty', true],
])(`${count} short %s commands`, (_, tty) => {
  it('lose no byte and number their events without a gap', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    for (let done = 0; done < count; ) {
      const batch = Array.from({ length: Math.min(4, count - done) }, (_, i) => ({
        id: `p${done + i}`,
        bytes: [1, 100, 4096, 70_000, 400_000, 3_000_000][(done + i) % 6] ?? 1,
      }));
      done += batch.length;
      await Promise.all(batch.map(({ id, bytes }) => client.start(id, burst(bytes), { tty })));
      for (const { id, bytes } of batch) {
        await client.untilClosed(id);
        const seqs = client.eventsOf(id).map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, index) => index + 1));
        const expected = tty ? expectedBurst(bytes).replaceAll('\n', '\r\n') : expectedBurst(bytes);
        const received = client.bytesOf(id).toString();
        expect(received.length).toBe(expected.length);
        expect(received === expected).toBe(true);
      }
      client.events.length = 0;
    }
  }, 900_000);
});
