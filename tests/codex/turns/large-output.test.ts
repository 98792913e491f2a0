import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSameTurn, playOnOurs } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';

describe('large output', () => {
  it('reaches the model cut in the middle, with the same count of what is left out', async () => {
    await expectSameTurn(async (model) => {
      const numbers = await model.exec('seq 1 200000');
      expect(numbers).toContain('Process exited with code 0');
      expect(numbers).toContain('\n200000\n');
      expect(numbers).toContain('bytes omitted');
      await model.exec({ cmd: 'seq 1 200000', max_output_tokens: 50 });
      await model.exec({ cmd: 'seq 1 200000', tty: true });
      await model.exec('head -c 3000000 /dev/zero | tr "\\0" x');
      await model.exec('seq 1 100000; seq 1 100000 >&2 2>/dev/null; exit 9');
    });
  });

  // The real server keeps 1 MiB for a client that is slower than the command: on a fast machine its own CLI misses up to a
  // third of this.
  it('of many megabytes arrives whole', async () => {
    await playOnOurs(async (model) => {
      const cmd = 'yes "a line of fifty characters, with its own newline" | head -c 60000000; echo; echo end';
      const output = await model.exec({ cmd, yield_time_ms: 30_000 });
      expect(output).toContain('\nend\n');
      // The CLI counts four bytes as a token.
      expect(output).toContain('Original token count: 15000002\n');
    });
  });

  it('of a session is joined over its windows', async () => {
    await expectSameTurn(async (model, { workspace }) => {
      const cmd = `echo begin; while [ ! -e go ]; do sleep 0.1; done
                   for i in $(seq 1 12); do seq $((i * 1000)) $((i * 1000 + 300)); sleep 1; done`;
      const session = await Dialogue.start(model, { cmd }, 'begin\n');
      writeFileSync(`${workspace}/go`, '');
      expect(await session.waitFor(END)).toContain('12300\n[exited with code 0]');
    });
  });
});
