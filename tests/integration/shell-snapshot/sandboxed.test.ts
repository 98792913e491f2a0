// The shell is captured inside the sandbox of its command.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOnlySandbox, workspaceSandbox } from '../sandboxed-process/support/policies.js';
import { LoginShell } from './support/login-shell.js';

describe('a sandboxed command with a shell snapshot', () => {
  it('starts with the state of its shell', async () => {
    const shell = await LoginShell.open('export A=1; f() { echo "f $1"; }; alias x=ls; umask 027');
    const more = { sandbox: workspaceSandbox(shell.home), cwd: shell.home };
    const script = 'echo $A; f 2; alias; umask; ls /proc/$$/fd; echo w > written && cat written';
    const plain = await shell.run(script, { more, snapshot: false });
    expect(plain.stdout).toContain('1\nf 2\n');
    expect(plain.stdout).toContain('w\n');
    expect(await shell.run(script, { more })).toEqual(plain);
    const runs = shell.profileRuns;
    expect(await shell.run(script, { more })).toEqual(plain);
    expect(shell.profileRuns).toBe(runs);
    expect(await shell.run(script, { more: { ...more, tty: true } })).toMatchObject({ exitCode: 0 });
    expect(shell.profileRuns).toBe(runs);
  });

  it('has a profile that can do no more than the command', async () => {
    const shell = await LoginShell.open('touch ~/escaped; export TOUCHED=$?');
    const more = { sandbox: readOnlySandbox() };
    expect((await shell.run('echo $TOUCHED', { more })).stdout).toBe('1\n');
    expect(existsSync(join(shell.home, 'escaped'))).toBe(false);
    expect((await shell.run('echo $TOUCHED')).stdout).toBe('0\n');
    expect((await shell.run('echo $TOUCHED', { more })).stdout).toBe('1\n');
  });
});
