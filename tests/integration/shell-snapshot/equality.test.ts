// What a command sees with a snapshot is what it sees when its shell reads the profile.
import { describe, expect, it } from 'vitest';
import { expectSame } from './support/expect-same.js';
import { LoginShell } from './support/login-shell.js';

const RICH_PROFILE = String.raw`
export EXPORTED=one PATH="/opt/tool/bin:$PATH"
plain=two
declare -i number=6
declare -A map=([key]=$'two\nlines' ["a b"]='quote " and '\'' too')
list=(a 'b c' '')
export LINES_OF_TEXT=$'first\nsecond \\ $HOME \`'
readonly FIXED=1
declare -n reference=plain
greet() { local who=$1; echo "hello $who"; }
exported() { cat <<END
here $EXPORTED
END
}
export -f exported
shopt -s expand_aliases extglob globstar nullglob
guarded() { case $1 in @(a|b)) echo matched;; esac; }
alias hi='echo "alias'\''s words"' ll='ls -l'
set -o pipefail -o noclobber
umask 027
ulimit -S -n 333
`;

describe('a command with a shell snapshot', () => {
  it('finds the same variables, functions, aliases, options, mask and limits', async () => {
    const seen = await expectSame(
      RICH_PROFILE,
      `hi
greet you; exported; guarded a; ll -d /tmp | wc -l
declare -p EXPORTED plain number map list LINES_OF_TEXT FIXED reference
bash -c exported
set +o; shopt -p; alias; declare -f; declare -F; trap -p; umask; ulimit -a
env | sort; compgen -v | grep -vx _
echo "$0 $- $# $*"`,
      { args: ['zero', 'one two'] },
    );
    expect(seen).toContain("alias's words\nhello you\nhere one\nmatched\n1\n");
    expect(seen).toContain('login_shell');
  });

  it('is the same login shell: level, descriptors, folder, command line apart from the profile', async () => {
    await expectSame(
      'export A=1',
      'echo $SHLVL; shopt login_shell; ls /proc/$$/fd; pwd; echo "$PWD|$OLDPWD"',
    );
    const shell = await LoginShell.open('export A=1');
    const { stdout } = await shell.run("tr '\\0' ' ' < /proc/$$/cmdline");
    expect(stdout).toBe("/bin/bash --noprofile -lc tr '\\0' ' ' < /proc/$$/cmdline ");
  });

  it('has errors on the same lines', async () => {
    await expectSame('shopt -s expand_aliases; alias oops=no-such-command', 'oops\necho $LINENO\n)');
    await expectSame('true', 'no-such-command');
    await expectSame('true', 'echo "unfinished');
  });

  it('keeps what decides how the command goes on', async () => {
    await expectSame('set -e', 'false; echo not reached');
    await expectSame('set -u', 'echo $not_set; echo not reached');
    await expectSame('set -f', 'echo /*');
    await expectSame('set -x', 'echo traced');
    await expectSame('trap "echo bye" EXIT; trap "echo user" USR1', 'kill -USR1 $$; trap -p');
    await expectSame('trap "echo failed" ERR', 'false');
    await expectSame('cd /usr', 'pwd; echo "$PWD $OLDPWD"; cd -');
    await expectSame("export A=$'\\xff\\xfe'", 'printf %s "$A" | od -c');
    await expectSame('IFS=:', 'x=a:b; printf "[%s]" $x');
    await expectSame('unset SERVER_SIDE', 'echo "[$SERVER_SIDE]"');
    await expectSame('false', 'echo $?');
    await expectSame("trap 'echo debug' DEBUG", 'true; echo x; trap -p');
    await expectSame('cd /usr; cd /tmp', 'echo $OLDPWD; cd -');
    await expectSame('export -n SERVER_SIDE', 'declare -p SERVER_SIDE; bash -c "echo [\\$SERVER_SIDE]"');
    await expectSame('GLOBIGNORE=x; shopt -u dotglob', 'shopt dotglob');
    await expectSame('OPTIND=5; OPTERR=0', 'echo $OPTIND $OPTERR');
  });

  it('works on a terminal', async () => {
    const seen = await expectSame('export A=1; f() { echo f; }', 'echo $A; f; tty | cut -c1-8; stty size', {
      more: { tty: true },
    });
    expect(seen).toBe('1\r\nf\r\n/dev/pts\r\n24 80\r\n');
  });

  it('carries functions of hundreds of kilobytes', async () => {
    const profile = 'eval "big() { : $(head -c 300000 /dev/zero | tr "\\0" x); echo big; }"';
    expect(await expectSame(profile, 'big; declare -f big | md5sum')).toMatch(/^big\n/);
  });

  it('reads the file that BASH_ENV names as often as it should', async () => {
    const profile = 'echo "export FROM_FILE=\\$((FROM_FILE + 1))" > ~/env; export BASH_ENV=~/env';
    await expectSame(profile, 'echo "$BASH_ENV $FROM_FILE"; bash -c "echo \\$FROM_FILE"');
    await expectSame('true', 'echo "$BASH_ENV"', { env: { BASH_ENV: '/dev/null' } });
    await expectSame('readonly BASH_ENV=/dev/null', 'declare -p BASH_ENV');
  });

  it('has functions with patterns that the shell does not read any more', async () => {
    const profile =
      'shopt -s extglob\nf() { case $1 in !(a)) echo other;; *) echo same;; esac; }\nshopt -u extglob';
    await expectSame(profile, 'f "!(a)"; f b; shopt extglob; declare -f');
  });

  it('has variables that are declared and have no value', async () => {
    const profile = `declare -A map; declare -a list; declare -x out; readonly fixed; declare -i number; unset SERVER_SIDE
      export SERVER_SIDE; text=$'x\\ndeclare -A no_map\\ny'; note() { map[$1]=1; }`;
    const seen = await expectSame(
      profile,
      'declare -p map list out fixed number SERVER_SIDE; note a; note b; declare -p map no_map; compgen -v',
    );
    expect(seen).toContain('[a]="1"');
  });

  it('has what the environment gives to a shell', async () => {
    const serverEnv = { CDPATH: '/usr', GLOBIGNORE: "it's" };
    await expectSame('true', 'declare -p CDPATH GLOBIGNORE; shopt -p; cd bin; env | sort', { serverEnv });
  });

  it('reads a changed profile anew', async () => {
    const shell = await LoginShell.open('export VALUE=old');
    expect((await shell.run('echo $VALUE')).stdout).toBe('old\n');
    shell.writeProfile('export VALUE=newer');
    expect((await shell.run('echo $VALUE')).stdout).toBe('newer\n');
  });
});
