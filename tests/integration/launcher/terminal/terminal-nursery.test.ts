// Terminals come from the nursery, as commands on pipes do: none of them costs a fork of Node.
import { describe, expect, it } from 'vitest';
import { infoOf, isAlive, nurseriesOf } from '../support/launcher-processes.js';
import { createLauncher, type Launcher } from '../support/launcher-under-test.js';
import { collect, pty, run, specOf, until } from '../support/run-command.js';

const guardianOf = (supervisor: number): number => infoOf(supervisor)?.parent ?? 0;

interface Running {
  readonly supervisor: number;
  readonly guardian: number;
  end(): Promise<string>;
}

/** A shell on a terminal that tells who its supervisor is, and then reads a line. */
async function startShell(launcher: Launcher): Promise<Running> {
  const launched = await launcher.launch(
    specOf(['sh', '-c', 'echo "supervisor $PPID."; read line; echo "got $line"'], { io: pty }),
  );
  const collected = collect(launched);
  await until(() => /supervisor \d+\./.test(collected.text()), 'it has told');
  const supervisor = Number(/supervisor (\d+)\./.exec(collected.text())?.[1]);
  const end = async (): Promise<string> => {
    await launched.input?.write(Buffer.from('a line\n'));
    await launched.exited;
    await collected.ended;
    await launched.treeGone;
    return collected.text();
  };
  return { supervisor, guardian: guardianOf(supervisor), end };
}

describe('terminals', () => {
  it('have a supervisor each below the one nursery, in a burst and beside pipes', async () => {
    const launcher = createLauncher();
    expect((await run(launcher, ['echo', 'first'])).stdout).toBe('first\n');
    const shells = await Promise.all(Array.from({ length: 8 }, () => startShell(launcher)));
    expect(new Set(shells.map(({ supervisor }) => supervisor)).size).toBe(8);
    const [nursery = 0, ...others] = nurseriesOf(process.pid);
    expect(others).toEqual([]);
    expect(new Set(shells.map(({ guardian }) => guardian))).toEqual(new Set([nursery]));
    for (const shell of shells) expect(await shell.end()).toContain('got a line');
    launcher.close();
    await until(() => !isAlive(nursery), 'the nursery has ended with its last supervisor');
  });

  it('go on when the supervisor of one of them is killed, and what that one left is ended', async () => {
    const launcher = createLauncher();
    const first = await launcher.launch(
      specOf(
        ['sh', '-c', 'setsid sh -c "trap \\"\\" HUP; sleep 1000" & echo "left $!. below $PPID."; wait'],
        { io: pty },
      ),
    );
    const said = collect(first);
    await until(() => /left \d+\. below \d+\./.test(said.text()), 'it has told');
    const [, left, supervisor] = (/left (\d+)\. below (\d+)\./.exec(said.text()) ?? []).map(Number);
    const second = await startShell(launcher);
    expect(second.guardian).toBe(guardianOf(Number(supervisor)));
    process.kill(Number(supervisor), 'SIGKILL');
    expect(await first.exited).toMatchObject({ supervisorLost: true });
    await until(() => !isAlive(Number(left)), 'what it left is gone');
    expect(isAlive(second.supervisor)).toBe(true);
    expect(await second.end()).toContain('got a line');
    launcher.close();
  });

  it('go on when the nursery is killed, and the next one comes from another', async () => {
    const launcher = createLauncher();
    const shell = await startShell(launcher);
    process.kill(shell.guardian, 'SIGKILL');
    await until(() => !isAlive(shell.guardian), 'the nursery is gone');
    expect(await shell.end()).toContain('got a line');
    // Those that waited are used up first; how many they are depends on what was started before.
    const isOfAnother = ({ guardian }: Running): boolean => nurseriesOf(process.pid).includes(guardian);
    const next: Running[] = [];
    while (next.length < 40 && !next.some(isOfAnother)) next.push(await startShell(launcher));
    expect(next.some(isOfAnother)).toBe(true);
    for (const each of next) expect(await each.end()).toContain('got a line');
    launcher.close();
  });
});
