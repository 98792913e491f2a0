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
  // These are left to the shell, which has no such program.
  `echo hi; ${patch('*** Add File: b.txt\n+one')}`,
  `cd sub; ${patch('*** Add File: b.txt\n+one')}`,
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
        await exec({ cmd: 'find . -type f | sort | xargs tail -n +1 | cat -A' });
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
