import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';
import { redPixel } from './red-pixel.js';

describe('read-only', () => {
  const sandbox = 'read-only';

  it('lets commands read everything and write nothing', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        expect(await model.exec('cat a.txt; ls; head -c 5 /etc/passwd')).toContain('hi\na.txt\n');
        expect(await model.exec('echo two > b.txt')).not.toContain('Process exited with code 0');
        await model.exec('touch /tmp/outside-of-the-workspace');
        // One stream: which of two is read first is not ours to decide.
        await model.exec('{ echo x > /etc/outside-of-the-workspace; echo y; } 2>&1');
        await model.exec('rm a.txt');
        await model.exec('echo discarded > /dev/null; echo kept');
        await model.exec('exec 3<>/dev/tcp/127.0.0.1/9');
      },
      { sandbox, files: { 'a.txt': 'hi\n' } },
    );
    expect(Object.keys(turn.workspace)).not.toContain('b.txt');
    expect(existsSync('/tmp/outside-of-the-workspace')).toBe(false);
  });

  it('has sessions, terminals and large output', async () => {
    await expectSameTurn(
      async (model) => {
        const cmd = 'read -p "name? " name; echo "hello $name"';
        const dialogue = await Dialogue.start(model, { cmd, tty: true }, 'name? ');
        expect(await dialogue.send('Ada\n', END)).toBe('Ada\r\nhello Ada\r\n[exited with code 0]');
        const plain = await Dialogue.start(model, { cmd: 'echo up; exec sleep 60' }, 'up\n');
        await plain.send('\u0003', END);
        await model.exec('seq 1 200000');
      },
      { sandbox },
    );
  });

  it('shows images and refuses patches', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        await model.patch('*** Begin Patch\n*** Update File: a.txt\n@@\n-hi\n+hello\n*** End Patch\n');
        expect(JSON.stringify(await model.viewImage('p.png'))).toContain('data:image/png');
      },
      { sandbox, files: { 'a.txt': 'hi\n', 'p.png': redPixel } },
    );
    expect(turn.workspace['a.txt']).toBe(`file 644: ${btoa('hi\n')}`);
  });
});
