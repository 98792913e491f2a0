// Profiles that print, end, hang, flood or leave something running: the command goes on as if there were no snapshots.
import { describe, expect, it } from 'vitest';
import { survivorsWith } from '../process/support/ps.js';
import { LoginShell } from './support/login-shell.js';

describe('a profile', () => {
  it('may print anything: a command with a snapshot shows only its own output', async () => {
    const shell = await LoginShell.open('echo noise; echo noise >&2; head -c 3000000 /dev/zero; export A=1');
    expect(await shell.run('echo $A')).toEqual({ exitCode: 0, stdout: '1\n', stderr: '' });
    expect(await shell.run('echo $A')).toEqual({ exitCode: 0, stdout: '1\n', stderr: '' });
  });

  it.each([
    ['ends the shell', 'exit 7'],
    ['becomes another program', 'exec echo replaced'],
    ['stops all execution', 'set -n'],
    ['replaces builtins', 'builtin() { echo mine; }; export A=1'],
    ['closes every descriptor', 'for n in {3..260}; do eval "exec $n>&-"; done; export A=1'],
    ['sets more than may be kept', 'big=$(head -c 700000 /dev/zero | tr "\\0" x); export A=1'],
    ['has functions that are no text', `eval "f() { echo '$(printf "\\377")'; }"`],
    ['kills its shell', 'kill -9 $$'],
    ['keeps its output in a file', 'exec > ~/log; export A=1'],
    ['shows its output to another program', 'exec 2> >(cat > ~/log); export A=1'],
    ['leaves a file open', 'exec 7< /etc/passwd; export A=1'],
    // bash prints `coproc COPROC cat`, which is the command `COPROC`.
    ['has functions that its shell prints wrong', 'f() { coproc cat; }; export A=1'],
  ])('that %s lets the command run as it stands', async (_, profile) => {
    const shell = await LoginShell.open(profile);
    const plain = await shell.run('echo "ran $A"', { snapshot: false });
    const runs = shell.profileRuns;
    expect(await shell.run('echo "ran $A"')).toEqual(plain);
    expect(await shell.run('echo "ran $A"')).toEqual(plain);
    // The shell is captured once, and once for each command the profile runs as it always did.
    expect(shell.profileRuns).toBe(runs + 3);
  });

  it('that hangs is given up after ten seconds, with all its processes, and not tried again', async () => {
    const shell = await LoginShell.open(
      '[ -e ~/second ] || { touch ~/second; MARK=hanging-profile sleep 300; }',
    );
    const begin = performance.now();
    expect((await shell.run('echo ran')).stdout).toBe('ran\n');
    expect(performance.now() - begin).toBeGreaterThan(9_000);
    expect(survivorsWith('MARK=hanging-profile')).toEqual([]);
    expect((await shell.run('echo ran')).stdout).toBe('ran\n');
    expect(performance.now() - begin).toBeLessThan(15_000);
  }, 40_000);

  it('that leaves a child with its descriptors delays nobody; the child lives as long as the session', async () => {
    const shell = await LoginShell.open('MARK=left-by-profile sleep 300 & export A=1');
    const begin = performance.now();
    expect((await shell.run('echo $A')).stdout).toBe('1\n');
    expect((await shell.run('echo $A')).stdout).toBe('1\n');
    expect(performance.now() - begin).toBeLessThan(3_000);
    expect(survivorsWith('MARK=left-by-profile')).toHaveLength(1);
    expect(shell.profileRuns).toBe(1);
    await shell.close();
    expect(survivorsWith('MARK=left-by-profile')).toEqual([]);
  });

  it('that hangs ends with its session', async () => {
    const shell = await LoginShell.open('MARK=hangs-at-the-end sleep 300');
    void shell.run('echo never').catch(() => undefined);
    while (survivorsWith('MARK=hangs-at-the-end').length === 0) await new Promise((r) => setTimeout(r, 20));
    await shell.close();
    expect(survivorsWith('MARK=hangs-at-the-end')).toEqual([]);
  });

  it('of a seventeenth scope takes the place of the oldest', async () => {
    const shell = await LoginShell.open('export A=1');
    for (let scope = 0; scope < 17; scope++) await shell.run('true', { snapshot: `scope ${scope}` });
    expect(shell.profileRuns).toBe(17);
    await shell.run('true', { snapshot: 'scope 16' });
    expect(shell.profileRuns).toBe(17);
    await shell.run('true', { snapshot: 'scope 0' });
    expect(shell.profileRuns).toBe(18);
  });

  it('is read once for commands that start together', async () => {
    const shell = await LoginShell.open('sleep 0.3; export A=1');
    const runs = await Promise.all(Array.from({ length: 8 }, () => shell.run('echo $A')));
    expect(runs.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 8 }, () => '1\n'));
    expect(shell.profileRuns).toBe(1);
  });
});
