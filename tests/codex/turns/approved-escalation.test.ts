// The user lets a command out of its sandbox, under a profile that denies reads: it may write everywhere, and what is
// denied stays denied.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';

describe('an approved escalation under denied reads', () => {
  let outside = '';
  beforeAll(() => {
    outside = mkdtempSync('/var/tmp/approved-escalation-');
  });
  afterAll(() => rmSync(outside, { recursive: true, force: true }));

  it('writes outside the workspace and still reads nothing that is denied', async () => {
    const escalated = (cmd: string) =>
      ({ cmd, sandbox_permissions: 'require_escalated', justification: 'a test' }) as const;
    await expectSameTurn(
      async (model) => {
        expect(await model.exec(`touch ${outside}/refused`)).not.toContain('code 0');
        expect(existsSync(`${outside}/refused`)).toBe(false);
        expect(await model.exec(escalated(`touch ${outside}/written && echo wrote`))).toContain('wrote\n');
        expect(existsSync(`${outside}/written`)).toBe(true);
        rmSync(`${outside}/written`);
        expect(await model.exec(escalated('cat secret/key'))).not.toContain('hunter2');
        expect(await model.exec(escalated('cat a.env'))).not.toContain('hunter2');
        await model.exec(escalated('ls secret'));
        await model.exec(escalated('touch .git/x && echo changed'));
        await model.exec(escalated('mv secret elsewhere'));
        expect(await model.exec('cat secret/key')).not.toContain('hunter2');
      },
      {
        sandbox: 'configured',
        approving: true,
        cliFlags: ['--config', 'default_permissions="careful"'],
        config: () => [
          '[permissions.careful.filesystem]',
          'glob_scan_max_depth = 3',
          '":root" = "read"',
          '":workspace_roots" = { "." = "write", "secret" = "deny", "**/*.env" = "deny" }',
        ],
        files: { 'secret/key': 'hunter2\n', 'a.env': 'hunter2\n' },
      },
    );
  });
});
