// The CLI's `shell_snapshot_v2`, which is off by default: commands start with the captured state of a login shell.
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { snapshotKeepsLevel, snapshotKeepsLines, snapshotKeepsLogin } from '../compare/listed-differences.js';

const config = () => ['[features]', 'shell_snapshot_v2 = true'];

const PROFILE = `
echo ran >> "$HOME/profile-runs"
echo words of the profile
export FROM_PROFILE='two
lines' PAGER=less PATH="/opt/tool/bin:$PATH"
greet() { echo "hello $1"; }
shopt -s expand_aliases extglob
alias hi='echo alias'
set -o pipefail
`;

describe('shell snapshots', () => {
  it('give every command what the profile sets, and run the profile once', async () => {
    await expectSameTurn(
      async (model) => {
        const first = await model.exec(
          'echo "$FROM_PROFILE $PAGER"; greet you; hi; echo $PATH; false | true',
        );
        expect(first).toContain('Output:\ntwo\nlines cat\nhello you\nalias\n/opt/tool/bin:');
        expect(first).toContain('Process exited with code 1');
        // Into one pipe: which of two is read first is left to chance.
        await model.exec(
          'declare -F; alias; shopt extglob; set +o | grep pipefail; bash -c "echo $FROM_PROFILE" 2>&1',
        );
        await model.exec({ cmd: 'greet you; hi; tty | cut -c1-8', tty: true });
        expect(await model.exec({ cmd: 'echo "[$FROM_PROFILE]"', login: false })).toContain('[]');
        expect(await model.exec('wc -l < ~/profile-runs')).toContain('Output:\n1\n');
        await model.exec('env | grep -v SHLVL | sort; ls /proc/self/fd; cat');
        await model.exec('echo $SHLVL');
        await model.exec('shopt login_shell');
        await model.exec('no-such-command');
      },
      {
        homeFiles: { '.bash_profile': PROFILE },
        config,
        differences: [snapshotKeepsLevel, snapshotKeepsLogin, snapshotKeepsLines],
      },
    );
  });

  it.each([
    ['workspace-write', [snapshotKeepsLines]],
    ['read-only', [snapshotKeepsLines, snapshotKeepsLines]],
  ] as const)('are taken inside the sandbox: %s', async (sandbox, differences) => {
    await expectSameTurn(
      async (model) => {
        await model.exec('echo "$WRITTEN"; greet you; hi');
        await model.exec('echo x > here; ls; ls /proc/self/fd');
        await model.exec('no-profile-runs-again; wc -l ~/profile-runs; exit 4');
      },
      {
        sandbox,
        files: { 'a.txt': '' },
        homeFiles: { '.bash_profile': `${PROFILE}\ntouch ~/outside; export WRITTEN=$?` },
        config,
        differences,
      },
    );
  });

  it('leave commands as they are when the profile ends the shell', async () => {
    await expectSameTurn(
      async (model) => {
        expect(await model.exec('echo never')).toContain('Process exited with code 7');
      },
      { homeFiles: { '.bash_profile': 'echo bye; exit 7' }, config },
    );
  });
});
