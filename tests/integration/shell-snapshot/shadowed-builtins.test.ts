// Profiles, and environments, that give other meanings to the words a shell is restored with.
import { describe, expect, it } from 'vitest';
import { expectSame } from './support/expect-same.js';

const exportedFunction = (name: string, body: string) => ({ [`BASH_FUNC_${name}%%`]: `() { ${body}; }` });

describe('a command with a shell snapshot', () => {
  it.each([
    ['cd', 'builtin cd /usr', 'pwd'],
    ['declare', 'export A=1; b=2; c=(3 4)', 'echo $A $b; builtin declare -p c'],
    ['eval', 'export A=1; c=(3 4)', 'echo $A; declare -p c'],
    ['exec', 'A=1', 'echo $A; ls /proc/$$/fd'],
    ['set', 'A=1; builtin set -u', 'echo $A $-'],
    ['unset', 'builtin unset SERVER_SIDE', 'echo "[$SERVER_SIDE]"'],
    ['umask', 'builtin umask 077', 'builtin umask'],
    ['ulimit', 'builtin ulimit -Sn 100', 'builtin ulimit -Sn'],
    ['alias', "builtin shopt -s expand_aliases; builtin alias x='echo X'", 'x'],
    ['shopt', 'builtin shopt -s nullglob expand_aliases', 'builtin shopt nullglob expand_aliases'],
    ['trap', "builtin trap $'echo bye\\necho it\\\\\\'s over' EXIT", 'echo x; builtin trap -p'],
  ])('is restored past a function `%s`', async (name, profile, script) => {
    const definition = `${name}() { echo "called $*" | tee -a ~/calls; }`;
    const seen = await expectSame(`${definition}; ${profile}`, `${script}; cat ~/calls 2>/dev/null`);
    expect(seen).not.toContain('called');
    await expectSame(profile, script, { serverEnv: exportedFunction(name, ':') });
  });

  it('is restored past aliases', async () => {
    const names = ['alias', 'builtin', 'cd', 'declare', 'eval', 'exec', 'set', 'shopt', 'trap', 'umask'];
    const aliases = names.map((name) => `alias ${name}='echo aliased'`).join('; ');
    await expectSame(
      `shopt -s expand_aliases; cd /usr; umask 077; f() { echo f; }; trap 'echo bye' EXIT; set -u
      ${aliases}`,
      '\\alias; f; echo $-; \\trap -p',
    );
    await expectSame("shopt -s expand_aliases failglob; alias '*x'='echo star' '[a]'='echo one'", 'alias');
  });

  it('has the functions that its profile has left of those it was given', async () => {
    const serverEnv = { ...exportedFunction('gone', 'echo old'), ...exportedFunction('changed', 'echo old') };
    const profile = 'unset -f gone; changed() { echo new; }';
    await expectSame(profile, 'type gone; changed; bash -c changed; declare -F', { serverEnv });
  });
});
