/** Several terminals are started with one fork of Node, and share a guardian. */
import { describe, expect, it } from 'vitest';
import { infoOf, isAlive, supervisorsOf } from '../support/launcher-processes.js';
import { createLauncher, type Launcher } from '../support/launcher-under-test.js';
import { collect, pty, run, specOf, until } from '../support/run-command.js';

const guardianOf = (supervisor: number): number => infoOf(supervisor)?.parent ?? 0;

async function endAll(launcher: Launcher): Promise<void> {
  launcher.close();
  await until(() => supervisorsOf(process.pid).length === 0, 'all are gone');
}

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

describe('terminals that are started together', () => {
  it('have a supervisor each and one guardian, in a burst too', async () => {
    const launcher = createLauncher();
    const shells: Running[] = [];
    for (let count = 0; count < 8; count += 1) shells.push(await startShell(launcher));
    expect(new Set(shells.map(({ supervisor }) => supervisor)).size).toBe(8);
    expect(new Set(shells.map(({ guardian }) => guardian)).size).toBe(2);
    for (const shell of shells) expect(await shell.end()).toContain('got a line');
    const guardians = shells.map(({ guardian }) => guardian);
    await endAll(launcher);
    await until(() => !guardians.some(isAlive), 'the guardians have ended with their last supervisor');
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
    await endAll(launcher);
  });

  it('that wait are not used when their guardian was killed; those that run go on', async () => {
    const launcher = createLauncher();
    const shell = await startShell(launcher);
    const waiting = supervisorsOf(process.pid).filter((pid) => pid !== shell.supervisor);
    process.kill(shell.guardian, 'SIGKILL');
    await until(
      () => !isAlive(shell.guardian) && !waiting.some(isAlive),
      'the guardian and those that waited are gone',
    );
    const { pty: next } = await run(launcher, ['sh', '-c', 'echo $PPID'], { io: pty });
    expect([shell.supervisor, ...waiting]).not.toContain(Number.parseInt(next, 10));
    expect(await shell.end()).toContain('got a line');
    await endAll(launcher);
  });
});
