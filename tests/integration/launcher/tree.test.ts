// Whole trees: background children are left alone, killTree ends everything.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { launchers, nativeLauncher } from './support/launcher-under-test.js';
import {
  closedPipe,
  collect,
  processesWith,
  pty,
  run,
  specOf,
  uniqueSleep,
  until,
} from './support/run-command.js';

const ios = [
  ['pipe', closedPipe],
  ['pty', pty],
] as const;

describe.each(launchers)('a tree (%s)', (_kind, create) => {
  it.each(ios)('on a %s with background children dies by killTree', async (_name, io) => {
    const token = uniqueSleep();
    const script = `sleep ${token} & sh -c 'sleep ${token} & sleep ${token}' & echo up; sleep ${token}`;
    const launched = await create().launch(specOf(['bash', '-c', script], { io }));
    const output = collect(launched);
    await until(() => processesWith(token).length >= 4, 'the tree is up');
    launched.killTree();
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await launched.treeGone;
    await until(() => processesWith(token).length === 0, 'everything is gone', 1000);
    await output.ended;
  });

  it('is left alone when the command ends, until killTree', async () => {
    const token = uniqueSleep();
    const launched = await create().launch(specOf(['sh', '-c', `sleep ${token} & exit 6`]));
    const output = collect(launched);
    expect(await launched.exited).toEqual({ code: 6, signal: null });
    let gone = false;
    void launched.treeGone.then(() => {
      gone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(processesWith(token)).toHaveLength(1);
    expect(gone).toBe(false);
    launched.killTree();
    await launched.treeGone;
    await output.ended;
    expect(processesWith(token)).toEqual([]);
  });

  it('is gone by itself when the last background child ends', async () => {
    const launched = await create().launch(specOf(['sh', '-c', 'sleep 0.2 >/dev/null 2>&1 & exit 0']));
    const output = collect(launched);
    expect(await launched.exited).toMatchObject({ code: 0 });
    await output.ended;
    let isGone = false;
    void launched.treeGone.then(() => {
      isGone = true;
    });
    await until(() => isGone, 'the tree is gone');
  });

  it('takes signals for the command, for the group and for all below the command', async () => {
    const launcher = create();
    const trapped = (name: string) =>
      `trap 'echo ${name}; exit 7' USR1; echo ready-${name}; while :; do sleep 0.02; done`;
    const script = `( ${trapped('child')} ) & ${trapped('parent')}`;
    const start = async () => {
      const launched = await launcher.launch(specOf(['bash', '-c', script]));
      const output = collect(launched);
      await until(
        () => /ready-child/.test(output.text()) && /ready-parent/.test(output.text()),
        'both are ready',
      );
      return { launched, output };
    };
    const shown = (text: string) => [/^child$/m.test(text), /^parent$/m.test(text)];

    const first = await start();
    first.launched.signal('SIGUSR1');
    expect(await first.launched.exited).toEqual({ code: 7, signal: null });
    expect(shown(first.output.text())).toEqual([false, true]);
    first.launched.signal('SIGUSR1', 'group'); // the group outlives its leader
    await first.launched.treeGone;
    await first.output.ended;
    expect(shown(first.output.text())).toEqual([true, true]);

    const second = await start();
    second.launched.signal('SIGUSR1', 'group');
    await second.launched.treeGone;
    await second.output.ended;
    expect(shown(second.output.text())).toEqual([true, true]);

    const third = await start();
    third.launched.signal('SIGUSR1', 'descendants');
    await until(() => shown(third.output.text())[0] === true, 'the child has answered');
    expect(shown(third.output.text())).toEqual([true, false]);
    third.launched.killTree();
    await third.launched.treeGone;
    await third.output.ended;
  });

  it('that has gone takes no signal', async () => {
    const launcher = create();
    const launched = await launcher.launch(specOf(['true']));
    const output = collect(launched);
    await launched.treeGone;
    await output.ended;
    // Its group number is free for another group; a signal that still went out would be seen here.
    const signals = vi.spyOn(process, 'kill');
    onTestFinished(() => signals.mockRestore());
    launched.signal('SIGTERM', 'group');
    launched.killTree();
    launched.resize(10, 10);
    expect(signals).not.toHaveBeenCalled();
    // A native supervisor serves the next launch too: it must not have got these orders instead of a launch record.
    expect((await run(launcher, ['true'])).status).toMatchObject({ code: 0, signal: null });
  });
});

describe('a tree under the native supervisor', () => {
  it.each(ios)('on a %s dies by killTree, daemons with sessions of their own included', async (_name, io) => {
    const token = uniqueSleep();
    const daemon = `setsid sh -c '(setsid sleep ${token} >/dev/null 2>&1 </dev/null &) ; setsid sleep ${token} &'`;
    const script = `${daemon}; (nohup sleep ${token} &) ; trap '' TERM HUP INT; echo up; sleep ${token}`;
    const launched = await nativeLauncher().launch(specOf(['bash', '-c', script], { io }));
    const output = collect(launched);
    await until(() => processesWith(token).length >= 4, 'the tree is up');
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
    await output.ended;
  });

  it('ends daemons also after the command itself has exited', async () => {
    const token = uniqueSleep();
    const script = `setsid sh -c '(setsid sleep ${token} &)'; exit 0`;
    const launched = await nativeLauncher().launch(specOf(['sh', '-c', script]));
    const output = collect(launched);
    await launched.exited;
    await until(() => processesWith(token).length >= 1, 'the daemon is up');
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
    await output.ended;
  });

  it('stops a program that forks faster than it is looked at', async () => {
    // Each generation starts two more and ends; limited by depth, so that a failing test ends too.
    const token = `forks-${uniqueSleep()}`;
    const script =
      'f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; sleep 0.01; f2 $1; }; f2() { sleep 20; }; f 9';
    const launched = await nativeLauncher().launch(specOf(['bash', '-c', script, token]));
    const output = collect(launched);
    await until(() => processesWith(token).length > 60, 'it is forking');
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
    await output.ended;
  });

  it('stops a chain that replaces itself with a new session again and again', async () => {
    const token = `chain-${uniqueSleep()}`;
    const script = 'n=$1; [ $n -gt 0 ] && setsid bash -c "$2" "$0" $((n-1)) "$2" & exit 0';
    const launched = await nativeLauncher().launch(specOf(['bash', '-c', script, token, '3000', script]));
    const output = collect(launched);
    await until(() => processesWith(token).length > 0, 'it runs');
    await new Promise((resolve) => setTimeout(resolve, 50));
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
    await output.ended;
  });

  it('ends what is stopped', async () => {
    const token = uniqueSleep();
    const launched = await nativeLauncher().launch(specOf(['sh', '-c', `sleep ${token} & kill -STOP $! $$`]));
    const output = collect(launched);
    await until(() => processesWith(token).length >= 1, 'it runs');
    launched.killTree();
    await launched.treeGone;
    expect(processesWith(token)).toEqual([]);
    await output.ended;
  });

  it('obeys and reports although the command stops its supervisor again and again', async () => {
    // The first stop may come before the start is reported.
    const launcher = nativeLauncher();
    const ended = await run(launcher, ['sh', '-c', 'kill -STOP $PPID; echo ok; exit 4']);
    expect([ended.stdout, ended.status.code]).toEqual(['ok\n', 4]);
    const launched = await launcher.launch(
      specOf(['sh', '-c', 'kill -STOP $PPID; echo ok; sleep 0.1; kill -STOP $PPID; sleep 60']),
    );
    const output = collect(launched);
    await until(() => output.text() === 'ok\n', 'the supervisor is stopped');
    await new Promise((resolve) => setTimeout(resolve, 300));
    launched.killTree();
    await launched.treeGone;
    await output.ended;
  });

  it('reaps orphans while the command runs', async () => {
    const script =
      'for i in 1 2 3 4 5; do (sleep 0.01 &) ; done; sleep 0.3; ps -o stat= --ppid $PPID | grep -c Z; true';
    expect((await run(nativeLauncher(), ['bash', '-c', script])).stdout.trim()).toBe('0');
  });
});
