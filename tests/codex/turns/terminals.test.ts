import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { signalOnTerminal, terminalNeedsItsFolder } from '../compare/listed-differences.js';
import { Dialogue, END } from '../model/dialogue.js';

describe('terminals', () => {
  it('hold a dialogue with a program', async () => {
    await expectSameTurn(async (model) => {
      const cmd =
        'read -p \'name? \' name; echo "hello $name"; read -s -p \'secret? \' s; echo; expr length "$s"';
      const session = await Dialogue.start(model, { cmd, tty: true }, 'name? ');
      expect(await session.send('Ada\n', 'secret? ')).toBe('Ada\r\nhello Ada\r\nsecret? ');
      expect(await session.send('four\n', END)).toBe('\r\n4\r\n[exited with code 0]');
    });
  });

  it('are 24 by 80 and terminals in every respect', async () => {
    await expectSameTurn(async (model) => {
      const facts = 'stty size; test -t 0 && test -t 1 && test -t 2 && echo all; ls /proc/self/fd';
      expect(await model.exec({ cmd: facts, tty: true })).toContain('24 80\r\nall\r\n');
      await model.exec({ cmd: 'stty -a', tty: true });
      await model.exec({ cmd: 'env | sort', tty: true });
      await model.exec({ cmd: "grep -E '^(SigB|SigI|SigC|NoNew)' /proc/self/status; echo $-", tty: true });
      await model.exec({ cmd: 'exec 3</dev/tty && echo controlling', tty: true });
      await model.exec({ cmd: 'ps -o stat= -p $$ | tr -d "[:space:]"', tty: true });
    });
  });

  it('keep the state of an interactive shell', async () => {
    await expectSameTurn(async (model) => {
      const shell = { cmd: "PS1='> ' bash --norc --noprofile -i", tty: true };
      const session = await Dialogue.start(model, shell, /> $/);
      await session.send('color=green\n', /> $/);
      expect(await session.send('echo $color\n', /> $/)).toContain('green\r\n');
      await session.send('echo asleep; sleep 50\n', /asleep\r\n$/);
      await session.send('\u0003', /> $/);
      expect(await session.send('echo code $?\n', /> $/)).toContain('code 130\r\n');
      await session.send('echo asleep; sleep 50\n', /asleep\r\n$/);
      expect(await session.send('\u001a', /> $/)).toContain('Stopped');
      await session.send('fg\n', /sleep 50\r\n$/);
      await session.send('\u0003', /> $/);
      expect(await session.send('exit 7\n', END)).toContain('[exited with code 7]');
    });
  });

  it('tell how a signal ended a program', async () => {
    await expectSameTurn(
      async (model) => {
        const command = { cmd: 'echo up; exec sleep 60', tty: true };
        const session = await Dialogue.start(model, command, 'up');
        await session.send('\u0003', END);
        await model.exec({ cmd: 'kill -9 $$', tty: true });
        await model.exec({ cmd: 'echo handled; exit 130', tty: true });
      },
      { differences: [signalOnTerminal(2), signalOnTerminal(9)] },
    );
  });

  it('do not open where there is no folder', async () => {
    await expectSameTurn(
      async (model) => {
        await model.exec({ cmd: 'echo ran anyway', tty: true, workdir: 'missing' });
      },
      { differences: [terminalNeedsItsFolder] },
    );
  });

  it('deliver the last bytes of short programs', async () => {
    await expectSameTurn(async (model) => {
      for (let run = 0; run < 5; run++) {
        const output = await model.exec({ cmd: `seq 1 500; echo last ${run}`, tty: true });
        expect(output).toContain(`last ${run}\r\n`);
      }
    });
  });

  it('take a long input', async () => {
    await expectSameTurn(async (model) => {
      const command = { cmd: 'stty -echo; echo ready; wc -lc', tty: true };
      const count = await Dialogue.start(model, command, 'ready');
      await model.write(count.id, `${'x'.repeat(70)}\n`.repeat(200));
      expect(await count.send('\u0004', END)).toMatch(/200\s+14200/);
    });
  });
});
