// Patches that a model writes as a command: the CLI takes them out of the shell's hands, and so does UnifiedExec. The same texts,
// and the same files afterwards.
import { readOnly, workspaceWrite } from '@codex/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { type Calls, type Comparison, expectSameTexts } from './both-tools.js';

let compared = 0;
const same = async (calls: Calls, comparison?: Comparison): Promise<void> => {
  compared += await expectSameTexts(calls, comparison);
};
afterAll(() => {
  process.stdout.write(`${compared} calls around patches gave the same text\n`);
  expect(compared).toBeGreaterThan(0);
});

const patch = (body: string): string => `apply_patch <<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF`;
const update = (file: string, body: string): string => patch(`*** Update File: ${file}\n${body}`);

const PATCHES = [
  patch('*** Add File: new.txt\n+one\n+two'),
  patch('*** Add File: a.txt\n+replaced'),
  patch('*** Add File: empty.txt'),
  patch('*** Add File: q/r/s.txt\n+deep'),
  patch('  *** Add File: indented.txt\n+x'),
  patch('*** Delete File: new.txt'),
  patch('*** Delete File: none.txt'),
  patch('*** Delete File: q'),
  update('missing.txt', '@@\n-x\n+y'),
  update('a.txt', '@@ def nothing\n-replaced\n+y'),
  update('a.txt', '@@\n-replaced\n+one\n+two\n+three\n+four'),
  update('a.txt', '@@ two\n-three\n+THREE'),
  update('a.txt', ' one\n-two\n+TWO'),
  update('a.txt', '@@\n+five\n*** End of File'),
  update('a.txt', '@@\n-five\n+FIVE\n*** End of File'),
  update('a.txt', '@@\n-one\n+ONE\n*** End of File'),
  update('a.txt', '@@\n+appended\n@@\n-four\n+4'),
  update('a.txt', '*** Move to: deep/b.txt\n@@\n-one\n+uno'),
  update('deep/b.txt', '*** Move to: c.txt'),
  update('crlf.txt', '@@\n-two\n+TWO'),
  update('crlf.txt', '@@\n one\n-TWO\n+2\n+2.5'),
  update('nonl.txt', '@@\n-end\n+END'),
  update('space.txt', '@@\n-   spaced  \n+SPACED'),
  update('dash.txt', '@@\n-a - b "c"\n+dashed'),
  update('n.txt', '@@\n one\n-two\n+TWO\n@@\n-four\n+FOUR'),
  update('n.txt', '@@\n-FOUR\n+4\n@@\n-TWO\n+2'),
  update('n.txt', '@@\nnoprefix'),
  update('n.txt', '@@\n-one\n+1\nnoprefix'),
  update('n2.txt', '-1\n+one\n\n 2'),
  update('n2.txt', '@@\n-2\n+two\n'),
  patch('*** Update File: n.txt\n@@\n-one\n+1\n*** Update File: n.txt\n@@\n-three\n+3'),
  patch('*** Update File: n.txt'),
  patch('*** Add File: bad.txt\nnoplus'),
  patch('*** Add File: ok.txt\n+x\n*** Update File: none.txt\n@@\n-a\n+b'),
  patch(
    '*** Add File: one\n+x\n*** Delete File: empty.txt\n*** Update File: n.txt\n@@\n-one\n+1\n*** Add File: two\n+x',
  ),
  patch('nonsense'),
  patch('\n*** Add File: lead.txt\n+x\n'),
  "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF",
  "apply_patch <<'EOF'\n*** Add File: z\n+x\n*** End Patch\nEOF",
  "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: z\n+x\nEOF",
  'apply_patch <<EOF\n*** Begin Patch\n*** Add File: unquoted.txt\n+$HOME\n*** End Patch\nEOF',
  'applypatch <<"EOF"\n*** Begin Patch\n*** Add File: quoted.txt\n+x\n*** End Patch\nEOF\n',
  `cd sub && ${patch('*** Add File: in-sub.txt\n+one')}`,
  `cd nowhere && ${patch('*** Add File: t.txt\n+x')}`,
  // Line ends as on Windows belong to the patch.
  "apply_patch <<'EOF'\n*** Begin Patch\r\n*** Update File: n.txt\r\n@@\r\n-three\r\n+3\r\n*** End Patch\r\nEOF",
  patch('*** Add File: windows.txt\n+one\r\n+two'),
  // Which machine it is for is overlooked inside a command.
  patch('*** Environment ID: remote\n*** Add File: there.txt\n+x'),
  patch('  *** Environment ID:  another  \n*** Add File: there.txt\n+y'),
  patch('*** Environment ID: \n*** Add File: there.txt\n+z'),
  patch('*** Environment ID: remote\n*** Environment ID: remote\n*** Add File: there.txt\n+z'),
  patch('*** Add File: there.txt\n+z\n*** Environment ID: remote'),
  patch('*** Environment ID: remote'),
  // Names.
  patch('*** Add File: a b \\ c.txt\n+x'),
  patch('*** Add File: slash/\n+x'),
  patch('*** Add File: .\n+x'),
  patch('*** Add File: there.txt/below\n+x'),
  patch('*** Add File: ~/x\n+w'),
  patch('*** Delete File: \n'),
  update('there.txt', '@@ \n-y\n+x'),
  update('there.txt', '@@\n-x\n+y\n@@\n'),
  update('there.txt', '@@ @@ y\n-y\n+z'),
  // How the end of the patch is written.
  `  ${patch('*** Add File: blanks.txt\n+x')}  `,
  patch('*** Add File: no-blank.txt\n+x').replace(' <<', '<<'),
  patch('*** Add File: dash.txt\n+x').replace('<<', '<<-'),
  patch('*** Add File: words.txt\n+x').replaceAll('EOF', 'E O F'),
  patch('*** Add File: dashed.txt\n+x').replaceAll('EOF', 'EOF-1'),
  patch('*** Add File: escaped.txt\n+x').replace("'EOF'", '\\EOF'),
  `FOO=1 ${patch('*** Add File: variable.txt\n+x')}`,
  `cd - && ${patch('*** Add File: minus.txt\n+x')}`,
  // These are left to the shell, which has no such program.
  `echo hi; ${patch('*** Add File: b.txt\n+one')}`,
  `cd sub; ${patch('*** Add File: b.txt\n+one')}`,
  patch('*** Add File: c.txt\n+one').replace("'EOF'", "'EOF' # why"),
  `# why\n${patch('*** Add File: c.txt\n+one')}`,
  `'apply_patch'${patch('*** Add File: c.txt\n+one').slice('apply_patch'.length)}`,
  `(${patch('*** Add File: c.txt\n+one')}\n)`,
  patch('*** Add File: c.txt\n+one').replace("'EOF'", "'EOF' > out.txt"),
  `cd -- sub && ${patch('*** Add File: c.txt\n+one')}`,
  `cd && ${patch('*** Add File: c.txt\n+one')}`,
  `cd 'su'b && ${patch('*** Add File: c.txt\n+one')}`,
  `cd sub && cd .. && ${patch('*** Add File: c.txt\n+one')}`,
  `${patch('*** Add File: c.txt\n+one')}\n${patch('*** Add File: d.txt\n+one')}`,
  "apply_patch '*** Begin Patch\n*** Add File: c.txt\n+one\n*** End Patch'",
];

const FILES = {
  'a.txt': 'hello\n',
  'sub/x': '',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  'nonl.txt': 'start\nend',
  'space.txt': '  spaced\n',
  'dash.txt': 'a \u2013 b \u201cc\u201d\n',
  'n.txt': 'one\ntwo\nthree\nfour\n',
  'n2.txt': '1\n\n2\n',
};

describe('patches', () => {
  it('are applied alike', async () => {
    await same(
      async ({ exec }) => {
        for (const cmd of PATCHES) await exec({ cmd });
        await exec({ cmd: 'find . -type f -print0 | sort -z | xargs -0 tail -n +1 | cat -A' });
      },
      { record: 'patches', codex: { files: FILES } },
    );
  });

  it('stay in the workspace where nobody is asked', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: patch('*** Add File: /var/lib/unified-exec-denied\n+x') });
        await exec({ cmd: 'ls /var/lib/unified-exec-denied' });
      },
      { codex: { sandbox: 'workspace-write', files: FILES }, ours: { sandbox: workspaceWrite() } },
    );
    await same(
      async ({ exec }) => {
        await exec({ cmd: update('n.txt', '@@\n-one\n+1') });
        await exec({ cmd: 'cat n.txt' });
      },
      { codex: { sandbox: 'read-only', files: FILES }, ours: { sandbox: readOnly() } },
    );
  });

  it.each(['accept', 'decline'] as const)('outside of it are asked about: %s', async (decision) => {
    const allow = decision === 'accept';
    await same(
      async ({ exec }) => {
        await exec({ cmd: patch('*** Add File: inside.txt\n+x') });
        await exec({ cmd: patch('*** Add File: /var/tmp/unified-exec-patched\n+x') });
        await exec({ cmd: 'cat /var/tmp/unified-exec-patched; cat inside.txt' });
        await exec({
          cmd: 'rm -r /var/tmp/unified-exec-patched',
          sandbox_permissions: 'require_escalated',
          justification: 'clean up',
        });
      },
      {
        codex: { sandbox: 'workspace-write', files: FILES, approving: { policy: 'on-request', decision } },
        ours: {
          sandbox: workspaceWrite(),
          approvalPolicy: 'on-request',
          approve: () => (allow ? { allow } : { allow }),
        },
      },
    );
  });
});
