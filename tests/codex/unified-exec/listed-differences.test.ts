// Where UnifiedExec deliberately does something else than the CLI: each is shown to differ, so that the list stays true.
import { describe, expect, it } from 'vitest';
import { type Calls, playOnBoth } from './both-tools.js';

const both = (calls: Calls) => playOnBoth(calls);

describe('listed differences', () => {
  it('a window ends at the exit and a short drain, not when a background child lets go of the output', async () => {
    const { real, ours } = await both(async ({ exec }) => {
      await exec({ cmd: '(sleep 1; echo late) & echo early' });
    });
    expect(real[0]).toContain('early\nlate\n');
    expect(ours[0]).toMatch(/Output:\nearly\n$/);
  });

  it('an integer may be written as 500.0, and null is no value', async () => {
    const { real, ours } = await both(async ({ say }) => {
      await say('exec_command', '{"cmd":"echo hi","yield_time_ms":500.0}');
      await say('exec_command', '{"cmd":"echo hi","tty":null}');
    });
    for (const text of real) expect(text).toContain('failed to parse function arguments: invalid type');
    for (const text of ours) expect(text).toContain('Output:\nhi\n');
  });

  it('arguments that are no object get a sentence of their own', async () => {
    const { real, ours } = await both(async ({ say }) => {
      await say('exec_command', 'not json');
      await say('exec_command', '[]');
    });
    expect(real[0]).toContain('expected ident');
    expect(real[1]).toContain('expected struct');
    expect(ours).toEqual([
      'failed to parse function arguments: the arguments are not JSON',
      'failed to parse function arguments: invalid type: sequence, expected an object with the field `cmd`',
    ]);
  });

  it('a field that is there twice counts as it stands last', async () => {
    const { real, ours } = await both(async ({ say }) => {
      await say('exec_command', '{"cmd":"echo one","cmd":"echo two"}');
    });
    expect(real[0]).toContain('duplicate field `cmd`');
    expect(ours[0]).toContain('Output:\ntwo\n');
  });

  it('a patch loses no file, and what fails in the middle is undone', async () => {
    const patch = (body: string) => `apply_patch <<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF`;
    const { real, ours } = await both(async ({ exec }) => {
      for (const body of [
        '*** Update File: a\n*** Move to: b\n@@\n-one\n+1\n*** Delete File: b',
        '*** Update File: a\n*** Move to: self/a\n@@\n-one\n+1',
        '*** Update File: a\n@@\n-one\n+1\n*** Add File: b/c\n+x',
      ]) {
        await exec({ cmd: "printf 'one\\n' > a; printf 'two\\n' > b; ln -sfn . self" });
        await exec({ cmd: patch(body) });
        await exec({ cmd: 'cat a b 2>&1' });
      }
    });
    const left = (texts: readonly string[]) => [2, 5, 8].map((index) => texts[index]?.split('Output:\n')[1]);
    const gone = (name: string) => `cat: ${name}: No such file or directory\n`;
    expect(left(real)).toEqual([gone('a') + gone('b'), `${gone('a')}two\n`, '1\ntwo\n']);
    expect(left(ours)).toEqual(['one\ntwo\n', '1\ntwo\n', 'one\ntwo\n']);
  });

  it('no command is dangerous by its words alone; rules decide that', async () => {
    const { real, ours } = await both(async ({ exec }) => {
      await exec({ cmd: 'rm -rf /a-folder-that-does-not-exist' });
    });
    expect(real[0]).toContain('rejected: rm -f style commands are not permitted');
    expect(ours[0]).toContain('Process exited with code 0');
  });
});
