// The terminal: controlling tty, job control, size, keys.
import { describe, expect, it } from 'vitest';
import { launchers } from '../support/launcher-under-test.js';
import { collect, PATH, pty, run, specOf, until } from '../support/run-command.js';

const keys = (text: string): Uint8Array => Buffer.from(text);

describe.each(launchers)('a terminal (%s)', (_kind, create) => {
  it('is the controlling terminal of the command, in the foreground', async () => {
    const outcome = await run(
      create(),
      ['sh', '-c', 'tty; ps -o pid=,pgid=,sid=,tpgid= -p $$; echo ok >/dev/tty'],
      {
        io: pty,
      },
    );
    const [tty, facts, written] = outcome.pty.split('\r\n');
    expect(tty).toMatch(/^\/dev\/pts\/\d+$/);
    expect(new Set(facts?.trim().split(/\s+/)).size).toBe(1);
    expect(written).toBe('ok');
    expect(outcome.status.code).toBe(0);
  });

  it('has the size it was given and tells the command when that changes', async () => {
    const script = 'trap "stty size; exit 4" WINCH; stty size; while :; do sleep 0.02; done';
    const launched = await create().launch(
      specOf(['bash', '-c', script], { io: { type: 'pty', rows: 33, cols: 101 } }),
    );
    const output = collect(launched);
    await until(() => output.text().includes('33 101'), 'the first size is shown');
    launched.resize(50, 132);
    expect(await launched.exited).toEqual({ code: 4, signal: null });
    await output.ended;
    expect(output.text()).toContain('50 132');
  });

  it('interrupts the foreground command on Ctrl-C', async () => {
    const launched = await create().launch(specOf(['sh', '-c', 'echo ready; exec sleep 60'], { io: pty }));
    const output = collect(launched);
    await until(() => output.text().includes('ready'), 'the command is ready');
    await launched.input?.write(keys('\x03'));
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGINT' });
    await output.ended;
  });

  it('gives an interactive shell job control', async () => {
    const env = { PATH, PS1: '> ', TERM: 'dumb' };
    const launched = await create().launch(specOf(['bash', '--norc', '--noprofile', '-i'], { io: pty, env }));
    const output = collect(launched);
    await until(() => output.text().includes('> '), 'the prompt is there');
    expect(output.text()).not.toContain('no job control');
    await launched.input?.write(keys('sleep 61\r'));
    await until(() => output.text().includes('sleep 61\r\n'), 'the job runs');
    await new Promise((resolve) => setTimeout(resolve, 100)); // until the shell has put the job into the foreground
    await launched.input?.write(keys('\x1a'));
    await until(() => /Stopped\s+sleep 61/.test(output.text()), 'the job is stopped');
    await launched.input?.write(keys('fg\r'));
    await until(() => output.text().includes('fg\r\nsleep 61'), 'the job is in the foreground again');
    await launched.input?.write(keys('\x03'));
    await until(() => /\^C\r\n> $/.test(output.text()), 'the prompt is back');
    await launched.input?.write(keys('exit 9\r'));
    expect(await launched.exited).toEqual({ code: 9, signal: null });
    await output.ended;
  });

  it('echoes what is typed and ends input on end()', async () => {
    const launched = await create().launch(specOf(['cat'], { io: pty }));
    const output = collect(launched);
    await launched.input?.write(keys('hello\r'));
    await until(() => output.text() === 'hello\r\nhello\r\n', 'the line came back twice');
    launched.input?.end();
    expect(await launched.exited).toEqual({ code: 0, signal: null });
    await output.ended;
    await expect(launched.input?.write(keys('late'))).rejects.toMatchObject({ code: 'EPIPE' });
  });

  it('hangs up on its session when the command ends, and stays open for a child that ignores it', async () => {
    const script = 'trap "" HUP; (sleep 0.3; echo late) & exit 5';
    const launched = await create().launch(specOf(['bash', '-c', script], { io: pty }));
    const output = collect(launched);
    expect(await launched.exited).toEqual({ code: 5, signal: null });
    await launched.treeGone;
    await output.ended;
  });
});
