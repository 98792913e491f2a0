// The CLI tries for 45 seconds to come back. A cut of 40 costs nothing, on either server.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';
import { onOurs, withWay } from '../servers/cuttable-way.js';

const OUTAGE_MS = 40_000;
const POLL_MS = 30_000;
const MOST_POLLS = 4;

describe('a connection that is gone for 40 seconds', () => {
  it('costs nothing of a quiet command', async () => {
    await withWay(async (way) => {
      await expectSameTurn(
        async (model, { workspace }) => {
          const cmd = 'echo begin; while [ ! -e go ]; do sleep 0.1; done; sleep 45; echo end; exit 4';
          const session = await Dialogue.start(model, { cmd }, 'begin\n');
          way.proxy?.outage(OUTAGE_MS);
          writeFileSync(`${workspace}/go`, '');
          expect(await session.waitFor(END)).toBe('end\n[exited with code 4]');
          expect(way.proxy?.connections).toBeGreaterThan(1);
        },
        { address: way.address },
      );
    });
  });

  it('costs nothing of the 20 MB that a command says meanwhile', async () => {
    await onOurs((way) => async (model, { workspace }) => {
      const cmd =
        'echo begin; while [ ! -e go ]; do sleep 0.1; done; head -c 20000000 /dev/zero | tr "\\0" x; exit 4';
      const session = await Dialogue.start(model, { cmd }, 'begin\n');
      way.proxy?.outage(OUTAGE_MS);
      writeFileSync(`${workspace}/go`, '');
      let output = '';
      for (let polls = 0; polls < MOST_POLLS && !output.includes('Process exited'); polls++)
        output += await model.write(session.id, '', POLL_MS);
      expect(output).toContain('Process exited with code 4');
      // The CLI counts four bytes as a token.
      const counts = [...output.matchAll(/Original token count: (\d+)/g)].map(([, count]) => Number(count));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5_000_000);
    });
  });
});
