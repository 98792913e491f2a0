// Whose value a variable has: the request's, the policy's or the profile's.
import { describe, expect, it } from 'vitest';
import { LoginShell } from './support/login-shell.js';

const policy = (more: object) => ({
  envPolicy: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [], ...more },
});

describe('the variables of a command with a shell snapshot', () => {
  it('are the request’s where it names them, for every command anew', async () => {
    const shell = await LoginShell.open('export PAGER=less TERM=profile OTHER=profile');
    const script = 'echo "$PAGER $TERM $OTHER $CODEX_TOOL_CALL_ID"';
    const env = { PAGER: 'cat', TERM: 'dumb' };
    const first = await shell.run(script, { env: { ...env, CODEX_TOOL_CALL_ID: 'call1' } });
    const second = await shell.run(script, { env: { ...env, CODEX_TOOL_CALL_ID: 'call2' } });
    expect([first.stdout, second.stdout]).toEqual(['cat dumb profile call1\n', 'cat dumb profile call2\n']);
    expect(shell.profileRuns).toBe(1);
  });

  it('pass the policy of the request', async () => {
    const shell = await LoginShell.open('export MY_TOKEN=1 MY_NAME=2 OTHER=3 SET=4');
    const script = 'echo "[$MY_TOKEN] [$MY_NAME] [$OTHER] [$SET]"';
    const seen = async (more: object) => (await shell.run(script, { more: policy(more) })).stdout;
    expect(await seen({})).toBe('[] [2] [3] [4]\n');
    expect(await seen({ exclude: ['my_n*'], ignoreDefaultExcludes: true })).toBe('[1] [] [3] [4]\n');
    expect(await seen({ includeOnly: ['HOME', 'PATH', 'MY*'] })).toBe('[] [2] [] []\n');
    expect(await seen({ set: { SET: 'policy' } })).toBe('[] [2] [3] [policy]\n');
  });

  it('are never the server’s secrets', async () => {
    const shell = await LoginShell.open('export NODE_REPL_AUTH_TOKEN=x');
    expect((await shell.run('echo "[$NODE_REPL_AUTH_TOKEN]"')).stdout).toBe('[]\n');
  });

  it('belong to a scope, a folder and an environment', async () => {
    const shell = await LoginShell.open('export SEEN="$PWD $KIND"');
    const seen = async (options: object) => (await shell.run('echo "$SEEN"', options)).stdout;
    expect(await seen({})).toBe('/tmp \n');
    expect(await seen({ more: { cwd: '/usr' } })).toBe('/usr \n');
    expect(await seen({ env: { KIND: 'a' } })).toBe('/tmp a\n');
    expect(await seen({ env: { KIND: 'b' } })).toBe('/tmp b\n');
    expect(shell.profileRuns).toBe(4);
    await seen({ snapshot: 'another' });
    expect(shell.profileRuns).toBe(5);
    await seen({ env: { KIND: 'a' } });
    expect(shell.profileRuns).toBe(5);
  });
});
