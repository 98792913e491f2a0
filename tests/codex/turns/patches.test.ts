import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const text = (content: string) => `file 644: ${Buffer.from(content).toString('base64')}`;

describe('apply_patch', () => {
  it('adds, changes, moves and removes files', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        const answer = await model.patch(
          patch(
            '*** Update File: a.txt',
            '@@',
            '-hi',
            '+hello',
            '*** Add File: new/deep/c.txt',
            '+fresh',
            '*** Update File: old-name.txt',
            '*** Move to: moved/new-name.txt',
            '@@',
            '-one',
            '+two',
            '*** Delete File: gone.txt',
          ),
        );
        expect(answer).toContain('Success. Updated the following files:');
        await model.exec('cat a.txt new/deep/c.txt moved/new-name.txt; ls -d gone.txt old-name.txt');
      },
      { files: { 'a.txt': 'hi\n', 'old-name.txt': 'one\n', 'gone.txt': 'bye\n' } },
    );
    expect(turn.workspace['a.txt']).toBe(text('hello\n'));
    expect(turn.workspace['new/deep/c.txt']).toBe(text('fresh\n'));
    expect(turn.workspace['moved/new-name.txt']).toBe(text('two\n'));
    expect(Object.keys(turn.workspace)).not.toContain('gone.txt');
  });

  it('says why it cannot', async () => {
    await expectSameTurn(
      async (model) => {
        await model.patch(patch('*** Update File: a.txt', '@@', '-other', '+x'));
        await model.patch(patch('*** Update File: missing.txt', '@@', '-a', '+b'));
        await model.patch(patch('*** Delete File: missing.txt'));
        await model.patch(patch('*** Update File: folder', '@@', '-a', '+b'));
        await model.patch(patch('*** Delete File: folder'));
        await model.patch(patch('*** Add File: a.txt/below', '+x'));
        await model.patch(patch('*** Add File: folder', '+x'));
        await model.patch('nonsense');
        await model.exec('ls -lR --time-style=+');
      },
      { files: { 'a.txt': 'hi\n', 'folder/x': 'x\n' } },
    );
  });

  it('keeps line endings, modes, links and missing newlines as they were', async () => {
    await expectSameTurn(
      async (model) => {
        await model.exec('ln -s crlf.txt link.txt; chmod 755 script.sh; ln -s nowhere dangling.txt');
        await model.patch(patch('*** Update File: crlf.txt', '@@', '-two', '+zwei'));
        await model.patch(patch('*** Update File: link.txt', '@@', '-one', '+eins'));
        await model.patch(patch('*** Update File: script.sh', '@@', '-echo 1', '+echo 2'));
        await model.patch(patch('*** Update File: open.txt', '@@', ' first', '-last', '+end'));
        await model.patch(patch('*** Add File: dangling.txt', '+through'));
        await model.exec('head -c 1000 crlf.txt script.sh open.txt nowhere | od -c; ls -l --time-style=+');
      },
      {
        files: {
          'crlf.txt': 'one\r\ntwo\r\n',
          'script.sh': '#!/bin/sh\necho 1\n',
          'open.txt': 'first\nlast',
        },
      },
    );
  });

  it('works through the shell, where the CLI recognises it', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        const change = patch('*** Update File: a.txt', '@@', '-hi', '+hello');
        await model.exec(`apply_patch <<'EOF'\n${change}EOF\n`);
        await model.exec(`cd sub && apply_patch <<'EOF'\n${patch('*** Add File: b.txt', '+b')}EOF\n`);
      },
      { files: { 'a.txt': 'hi\n', 'sub/x': '' } },
    );
    expect(turn.workspace['a.txt']).toBe(text('hello\n'));
    expect(turn.workspace['sub/b.txt']).toBe(text('b\n'));
  });

  it('takes names with spaces, other scripts and percent signs', async () => {
    const names = ['with space.txt', 'größe-日本.txt', '100%25 #1?.txt', "quote'd.txt"];
    const turn = await expectSameTurn(async (model) => {
      await model.patch(patch(...names.flatMap((name) => [`*** Add File: dir ü/${name}`, `+${name}`])));
      await model.exec('ls "dir ü"');
    });
    for (const name of names) expect(turn.workspace[`dir ü/${name}`]).toBe(text(`${name}\n`));
  });

  it('takes a large file and many files', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `a line with the number ${index}\n`).join('');
    const names = Array.from({ length: 150 }, (_, index) => `many/${index % 10}/file-${index}.txt`);
    const turn = await expectSameTurn(
      async (model) => {
        const change = ['@@', '-a line with the number 40000', '+a line without'];
        await model.patch(patch('*** Update File: large.txt', ...change));
        await model.patch(patch(...names.flatMap((name) => [`*** Add File: ${name}`, `+${name}`])));
        expect(await model.exec('grep -c . large.txt; find many -type f | wc -l')).toContain('60000\n150\n');
      },
      { files: { 'large.txt': lines } },
    );
    expect(turn.workspace[names.at(-1) ?? '']).toBe(text(`${names.at(-1)}\n`));
  });
});
