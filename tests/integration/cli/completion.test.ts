// The completion scripts in the shells they are for. A shell that is not installed is not tried.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InstalledCommand } from './support/installed-command.js';

const installed = new InstalledCommand();
const folder = mkdtempSync(join(tmpdir(), 'exec-server-completion-'));
const scripts = new Map<string, string>();
beforeAll(() => {
  writeFileSync(join(folder, 'token.txt'), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const file = join(folder, `_exec-server.${shell}`);
    writeFileSync(file, installed.run(['completion', shell]).stdout);
    scripts.set(shell, file);
  }
  mkdirSync(join(folder, 'zsh'));
  writeFileSync(join(folder, 'zsh', '_exec-server'), installed.run(['completion', 'zsh']).stdout);
});
afterAll(() => {
  installed[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const CASES: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ['exec-server d', ['doctor'], ['run']],
  ['exec-server --listen ws://127.0.0.1:0 --log-l', ['--log-level'], ['--json', '--log-format']],
  ['exec-server --log-level ', ['debug', 'silent'], ['doctor']],
  ['exec-server serve --max-sess', ['--max-sessions'], ['--max-connections']],
  ['exec-server run --sandbox ', ['read-only', 'workspace-write'], ['restricted']],
  ['exec-server run --token-file tok', ['token.txt'], []],
  ['exec-server sandbox --policy ', ['read-only', 'workspace-write', 'full-access', 'token.txt'], []],
  ['exec-server sandbox --policy read', ['read-only'], ['workspace-write', 'token.txt']],
  ['exec-server sandbox --network ', ['restricted', 'loopback', 'enabled'], []],
  ['exec-server sandbox --accept-weaker-sandbox host-s', ['host-signals', 'host-sockets'], ['host-proc']],
  ['exec-server --listen ', ['stdio'], []],
  ['exec-server --ws-auth ', ['capability-token', 'signed-bearer-token'], []],
  ['exec-server --accept-weaker-sandbox ', ['host-proc'], []],
  ['exec-server help do', ['doctor'], ['run']],
  ['exec-server execpolicy ', ['check'], []],
  ['exec-server cp --rec', ['--recursive'], ['--tty']],
  ['exec-server completion ', ['bash', 'zsh', 'fish'], []],
  ['exec-server sandbox uptim', ['uptime'], []],
];

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

const OFFERED: Readonly<Record<string, (line: string) => string[]>> = {
  // As the key does it: the words of the line, then the function that was registered.
  bash: (line) =>
    lines(
      spawnSync(
        'bash',
        [
          '--norc',
          '-c',
          `source "$1"; COMP_LINE=$2 COMP_POINT=\${#2}; read -ra COMP_WORDS <<<"$2"
           [[ $2 == *' ' ]] && COMP_WORDS+=('')
           COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
           set -- $(complete -p exec-server); while [[ $# -gt 0 && $1 != -F ]]; do shift; done
           "$2" exec-server "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
           printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          scripts.get('bash') ?? '',
          line,
        ],
        { cwd: folder, encoding: 'utf8', env: installed.env },
      ),
    ),
  fish: (line) =>
    lines(
      spawnSync(
        'fish',
        ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', scripts.get('fish') ?? '', line],
        {
          cwd: folder,
          encoding: 'utf8',
          env: { ...installed.env, HOME: folder },
        },
      ),
    ).map((offer) => offer.split('\t')[0] ?? ''),
  zsh: (line) =>
    // A terminal of its own in which the key is pressed: the completion system works in no other place.
    lines(
      spawnSync('zsh', ['-f', '-c', ZSH_TERMINAL, 'zsh', join(folder, 'zsh'), line], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...installed.env, TERM: 'xterm' },
        timeout: 20_000,
      }),
    ),
};

const ZSH_TERMINAL = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; unsetopt zle_bracketed_paste; fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D
bindkey '^I' list-all; zle -C list-all complete-word print-all
print-all() { compadd() { local -a found; builtin compadd -O found \\"\\$@\\"; builtin compadd \\"\\$@\\"; print -rl -- '' OFFER:\\$^found }; _main_complete; print -r -- '' ALL-OFFERED; compstate[insert]=; compstate[list]= }
print READY-\\$((40+2))"
zpty -r -m shell seen '*READY-42*'
zpty -n -w shell "$2"$'\\t'
zpty -r -m shell offers '*ALL-OFFERED*'
print -r -- $offers
zpty -d shell`;

function lines({ stdout, stderr }: { stdout: string; stderr: string }): string[] {
  expect(stderr).toBe('');
  return stdout
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.replace(/^.*OFFER:/, '').trim())
    .filter((line) => line !== '');
}

describe.each(['bash', 'fish', 'zsh'].filter(has))('completion in %s', (shell) => {
  it.each(CASES)('of `%s`', (line, offered, not) => {
    const offers = OFFERED[shell]?.(line) ?? [];
    expect(offers).toEqual(expect.arrayContaining([...offered]));
    expect(offers.filter((offer) => not.includes(offer))).toEqual([]);
  });
});

it('is refused for another shell', () => {
  expect(installed.run(['completion', 'cmd'])).toMatchObject({ status: 2, stdout: '' });
});
