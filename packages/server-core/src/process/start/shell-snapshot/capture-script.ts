// What a login shell is told to run once its profile has run: print everything that the profile left behind. Only
// builtins are used, since PATH is the profile's, and nothing goes to stdout, where profiles print.

/** Where the state is printed. High, since profiles use low numbers of their own. */
const STATE_DESCRIPTOR = 250;

/**
 * The login shell, behind a shell that reads no start-up file: it says how things stand before the profile, and moves
 * its stdout out of the profile's reach. What the login shell is told stands in its arguments and is not sourced, which
 * would hide a DEBUG trap.
 */
export function captureCommand(shell: string, nonce: string): readonly string[] {
  const before = [
    `\\builtin printf '%s\\0' "$PWD"`,
    '\\builtin umask',
    '\\builtin ulimit -Sa',
    "\\builtin printf '\\0'",
    '\\builtin ulimit -Ha',
    "\\builtin printf '\\0'",
    `exec ${STATE_DESCRIPTOR}>&1 >/dev/null 2>&1`,
    'exec "$@"',
  ].join('\n');
  return [shell, '-pc', before, shell, shell, '-lc', printStateScript(nonce)];
}

/** What a profile has redirected or left open cannot be handed on. Beyond 9 the shell has descriptors of its own. */
const HAS_NO_OTHER_DESCRIPTORS = [
  ...[1, 2].map((number) => `\\builtin test /dev/fd/${number} -ef /dev/null`),
  ...[3, 4, 5, 6, 7, 8, 9].map((number) => `\\builtin test ! -e /dev/fd/${number}`),
].join(' && ');

/**
 * Records end with a NUL. Traps come first, since they act on what follows, and options before anything is substituted,
 * which would change them; what could disturb the rest (errexit, IFS) is switched off as soon as it is recorded. Functions
 * that the shell does not read back as it printed them are not printed, and so there is no snapshot. The last loop finds
 * variables without a value, which only the list of all names.
 */
function printStateScript(nonce: string): string {
  return `{
\\builtin printf '%s\\0%s\\0' ${nonce} "$?" >&${STATE_DESCRIPTOR}
\\builtin trap -p >&${STATE_DESCRIPTOR}
\\builtin trap - DEBUG ERR RETURN EXIT
${HAS_NO_OTHER_DESCRIPTORS} && {
\\builtin printf '\\0'
\\builtin set +o; \\builtin printf '\\0'
\\builtin set +eux; \\builtin set -f
\\builtin shopt -p; \\builtin printf '\\0'
\\builtin shopt -u expand_aliases
\\builtin alias -p; \\builtin printf '\\0'
\\builtin printf '%s\\0' "$PWD"
\\builtin umask; \\builtin ulimit -Sa; \\builtin printf '\\0'
\\builtin ulimit -Ha; \\builtin printf '\\0'
\\builtin declare -p IFS; \\builtin printf '\\0'
IFS=$' \\t\\n'
\\builtin declare -F; \\builtin printf '\\0'
__codex_name=$(\\builtin declare -f)
( \\builtin shopt -s extglob
  \\builtin eval "$__codex_name" && \\builtin test "$__codex_name" = "$(\\builtin declare -f)" ) &&
  \\builtin printf '%s\\0%s\\0' "$__codex_name" ${nonce}
for __codex_name in $(\\builtin compgen -v); do
  \\builtin declare -p -- "$__codex_name" && \\builtin printf '\\0'
done
IFS=$'\\n'
for __codex_name in $(\\builtin declare -p); do
  case $__codex_name in
    *[![:alnum:]_\\ -]*) ;;
    declare\\ -*) \\builtin declare -p -- "\${__codex_name##* }" && \\builtin printf '\\0' ;;
  esac
done
\\builtin printf '%s\\0' ${nonce}
} >&${STATE_DESCRIPTOR} ${STATE_DESCRIPTOR}>&-
}
`;
}
