import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';
import { onOurs, withWay } from '../servers/cuttable-way.js';

/** Says one line, waits for the file `go`, then ticks for six seconds. */
const ticking = {
  cmd: `echo begin; while [ ! -e go ]; do sleep 0.1; done
        for i in $(seq 1 60); do echo tick $i; sleep 0.1; done; echo end; exit 4`,
};
const ticks = Array.from({ length: 60 }, (_, index) => `tick ${index + 1}\n`).join('');

describe('a connection that is cut in mid-turn', () => {
  it('costs no output of a command that runs', async () => {
    await withWay(async (way) => {
      await expectSameTurn(
        async (model, { workspace }) => {
          const session = await Dialogue.start(model, ticking, 'begin\n');
          writeFileSync(`${workspace}/go`, '');
          for (const afterMs of [500, 2_000, 3_500]) setTimeout(() => way.cut(), afterMs);
          expect(await session.waitFor(END)).toBe(`${ticks}end\n[exited with code 4]`);
          expect(way.proxy?.connections).toBe(4);
          expect(await model.exec('echo still here')).toContain('still here\n');
        },
        { address: way.address },
      );
    });
  });

  it('keeps a dialogue going', async () => {
    await withWay(async (way) => {
      await expectSameTurn(
        async (model) => {
          const cmd = 'echo up; while read x; do echo "<$x>"; done';
          const session = await Dialogue.start(model, { cmd, tty: true }, 'up');
          for (const word of ['one', 'two', 'three']) {
            way.cut();
            expect(await session.send(`${word}\n`, `<${word}>`)).toBe(`${word}\r\n<${word}>\r\n`);
          }
          expect(await session.send('\u0004', END)).toBe('[exited with code 0]');
        },
        { address: way.address },
      );
    });
  });

  it('does not stop files, patches and new commands', async () => {
    await withWay(async (way) => {
      await expectSameTurn(
        async (model) => {
          way.cut();
          expect(await model.exec('echo one')).toContain('one\n');
          way.cut();
          await model.patch('*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch\n');
          way.cut();
          expect(await model.exec('cat b.txt')).toContain('b\n');
        },
        { address: way.address },
      );
    });
  });

  it('may stay cut for a while', async () => {
    await withWay(async (way) => {
      await expectSameTurn(
        async (model, { workspace }) => {
          const session = await Dialogue.start(model, ticking, 'begin\n');
          writeFileSync(`${workspace}/go`, '');
          setTimeout(() => way.proxy?.outage(10_000), 1_000);
          expect(await session.waitFor(END)).toBe(`${ticks}end\n[exited with code 4]`);
        },
        { address: way.address },
      );
    });
  });

  it('is taken over when the server has not noticed', async () => {
    await onOurs((way) => async (model, { workspace }) => {
      const session = await Dialogue.start(model, ticking, 'begin\n');
      writeFileSync(`${workspace}/go`, '');
      setTimeout(() => way.proxy?.cutHalf(), 500);
      expect(await session.waitFor(END)).toBe(`${ticks}end\n[exited with code 4]`);
      expect(way.proxy?.connections).toBeGreaterThan(1);
    });
  });

  it('costs nothing of what a command says meanwhile, however much it is', async () => {
    await onOurs((way) => async (model, { workspace }) => {
      const cmd =
        'echo begin; while [ ! -e go ]; do sleep 0.1; done; head -c 20000000 /dev/zero | tr "\\0" x; exit 4';
      const session = await Dialogue.start(model, { cmd }, 'begin\n');
      way.proxy?.outage(3_000);
      writeFileSync(`${workspace}/go`, '');
      const output = await model.write(session.id, '', 30_000);
      expect(output).toContain('Process exited with code 4');
      // The CLI counts four bytes as a token.
      expect(output).toContain('Original token count: 5000000\n');
    });
  });
});
