import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';

describe('background sessions', () => {
  it('go on while the model does something else, and are polled', async () => {
    await expectSameTurn(async (model) => {
      const command = { cmd: 'echo begin; while [ ! -e go ]; do sleep 0.1; done; echo end; exit 5' };
      const session = await Dialogue.start(model, command, 'begin\n');
      const { id } = session;
      expect(await model.exec('echo between; touch go')).toContain('between\n');
      expect(await session.waitFor(END)).toBe('end\n[exited with code 5]');
      expect(await model.write(id, '')).toContain('Unknown process id');
    });
  });

  it('keep what a command said that ended unobserved', async () => {
    await expectSameTurn(async (model) => {
      const command = { cmd: 'echo begin; while [ ! -e go ]; do sleep 0.1; done; echo unseen; touch gone' };
      const session = await Dialogue.start(model, command, 'begin\n');
      await model.exec('touch go; while [ ! -e gone ]; do sleep 0.1; done; sleep 1');
      expect(await session.waitFor(END)).toBe('unseen\n[exited with code 0]');
    });
  });

  it('are kept apart', async () => {
    await expectSameTurn(async (model) => {
      const first = await Dialogue.start(model, { cmd: 'echo up; cat', tty: true }, 'up');
      const echo = { cmd: 'echo up; while read x; do echo "<$x>"; done', tty: true };
      const second = await Dialogue.start(model, echo, 'up');
      expect(await second.send('b\n', '<b>\r\n')).toBe('b\r\n<b>\r\n');
      expect(await first.send('a\n', 'a\r\na\r\n')).toBe('a\r\na\r\n');
      expect(await first.send('\u0004', END)).toContain('[exited with code 0]');
      expect(await second.send('\u0004', END)).toContain('[exited with code 0]');
    });
  });

  it('are interrupted, with and without a handler', async () => {
    await expectSameTurn(async (model) => {
      const plain = await Dialogue.start(model, { cmd: 'echo up; exec sleep 60' }, 'up\n');
      expect(await model.write(plain.id, 'text\n')).toContain('stdin is closed for this session');
      expect(await plain.send('\u0003', END)).toBe('[exited with code 130]');
      const cmd = "trap 'echo caught; exit 42' INT; echo ready; while :; do sleep 0.1; done";
      const handled = await Dialogue.start(model, { cmd }, 'ready\n');
      expect(await handled.send('\u0003', END)).toBe('caught\n[exited with code 42]');
      const deaf = { cmd: "trap '' INT; echo ready; while [ ! -e go ]; do sleep 0.1; done; echo through" };
      const ignored = await Dialogue.start(model, deaf, 'ready\n');
      await model.write(ignored.id, '\u0003');
      await model.exec('touch go');
      expect(await ignored.waitFor(END)).toBe('through\n[exited with code 0]');
    });
  });
});
