// The unmodified CLI on a machine of a fleet, through a gateway, while what is between them dies.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TurnScript } from '../cli/play-turn.js';
import { playOnOurs } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';
import { FleetWay } from '../servers/fleet-way.js';

const ticking = {
  cmd: `echo begin; while [ ! -e go ]; do sleep 0.1; done
        for i in $(seq 1 60); do echo tick $i; sleep 0.1; done; echo end; exit 4`,
};
const ticks = Array.from({ length: 60 }, (_, index) => `tick ${index + 1}\n`).join('');

async function onFleet(
  script: (way: FleetWay) => TurnScript,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const way = await FleetWay.start();
  try {
    await playOnOurs(script(way), { files, address: () => ({ via: 'variable', url: way.url }) });
  } finally {
    await way.close();
  }
}

describe('the CLI on a machine of a fleet', () => {
  it('runs commands, dialogues and patches', async () => {
    await onFleet(
      () => async (model) => {
        expect(await model.exec('cat a.txt; pwd')).toContain('hi\n');
        await model.patch('*** Begin Patch\n*** Update File: a.txt\n@@\n-hi\n+hello\n*** End Patch\n');
        expect(await model.exec('cat a.txt')).toContain('hello\n');
        const session = await Dialogue.start(model, { cmd: 'read -p "? " x; echo "<$x>"', tty: true }, '? ');
        expect(await session.send('yes\n', END)).toBe('yes\r\n<yes>\r\n[exited with code 0]');
        expect(await model.exec('seq 1 200000')).toContain('\n200000\n');
      },
      { 'a.txt': 'hi\n' },
    );
  });

  it('loses no output when the gateway is killed', async () => {
    await onFleet((way) => async (model, { workspace }) => {
      const session = await Dialogue.start(model, ticking, 'begin\n');
      writeFileSync(`${workspace}/go`, '');
      setTimeout(() => void way.replaceGateway(), 1500);
      expect(await session.waitFor(END)).toBe(`${ticks}end\n[exited with code 4]`);
    });
  });

  it('loses no output when the broker is killed', async () => {
    await onFleet((way) => async (model, { workspace }) => {
      const session = await Dialogue.start(model, ticking, 'begin\n');
      writeFileSync(`${workspace}/go`, '');
      setTimeout(() => void way.broker.kill().then(() => way.broker.restart()), 1500);
      expect(await session.waitFor(END)).toBe(`${ticks}end\n[exited with code 4]`);
    });
  });

  it('comes in by a ticket, and back to its session by the same one after a cut', async () => {
    const way = await FleetWay.start({ hasTickets: true });
    try {
      await playOnOurs(
        async (model, { workspace }) => {
          const session = await Dialogue.start(model, ticking, 'begin\n');
          writeFileSync(`${workspace}/go`, '');
          setTimeout(() => way.cut(), 1500);
          expect(await session.waitFor(END)).toBe(`${ticks}end\n[exited with code 4]`);
        },
        { address: () => ({ via: 'variable', url: `${way.url}?ticket=${way.newTicket()}` }) },
      );
    } finally {
      await way.close();
    }
  });

  it('is told within seconds that the machine is gone', async () => {
    await onFleet((way) => async (model) => {
      const session = await Dialogue.start(model, { cmd: 'echo up; sleep 300' }, 'up\n');
      const began = performance.now();
      void way.machine.kill();
      const output = await model.write(session.id, '', 30_000);
      expect(performance.now() - began).toBeLessThan(15_000);
      expect(output).toContain('machine x1 is not connected to the broker any more');
      // The next command gets a session of its own, wherever there is room.
      await way.startMachine('x2');
      expect(await model.exec('echo elsewhere')).toContain('elsewhere\n');
    });
  });
});
