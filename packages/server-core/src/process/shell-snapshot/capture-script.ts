// What a login shell is told to run once its profile has run: print everything that the profile left behind. Only
// builtins are used, since PATH is the profile's, and nothing goes to stdout, where profiles print.

/** Where the state is printed. High, since profiles use low numbers of their own. */
export const STATE_DESCRIPTOR = 250;
/** Where a shell reads the script that prints or restores the state. */
export const SCRIPT_DESCRIPTOR = 251;

export const SCRIPT_PATH = `/dev/fd/${SCRIPT_DESCRIPTOR}`;

/**
 * The login shell, behind a shell that reads no start-up file: it says how things stand before the profile, and moves
 * its stdout out of the profile's reach.
 */
export function captureCommand(shell: string): readonly string[] {
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
  return [shell, '-pc', before, shell, shell, '-lc', `\\. ${SCRIPT_PATH}`];
}

/**
 * Records end with a NUL. Options come first and untouched, since a substitution would change them; what could disturb
 * the rest (errexit, traps, IFS) is switched off as soon as it is recorded. Functions that the shell cannot read back
 * from its own print are not printed, and so there is no snapshot.
 */
export function printStateScript(nonce: string): string {
  return `{
\\builtin printf '%s\\0%s\\0' ${nonce} "$?"
\\builtin set +o; \\builtin printf '\\0'
\\builtin set +eux; \\builtin set -f
\\builtin trap -p; \\builtin printf '\\0'
\\builtin trap - DEBUG ERR RETURN EXIT
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
( \\builtin eval "$__codex_name" ) && \\builtin printf '%s\\0%s\\0' "$__codex_name" ${nonce}
for __codex_name in $(\\builtin compgen -v); do
  \\builtin declare -p -- "$__codex_name" && \\builtin printf '\\0'
done
\\builtin printf '%s\\0' ${nonce}
} >&${STATE_DESCRIPTOR} 2>/dev/null ${STATE_DESCRIPTOR}>&- ${SCRIPT_DESCRIPTOR}<&-
`;
}
