// `exec-server completion SHELL`: what a shell needs to complete commands, options and their values.

import { Argument, Command } from 'commander';
import { printText } from '../print-text.js';
import { PROGRAM } from '../program-name.js';
import { bashScript } from './bash-script.js';
import { commandWords, helpWords } from './command-words.js';
import { fishScript } from './fish-script.js';
import { zshScript } from './zsh-script.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

const NOTES = `
Examples:
  source <(${PROGRAM} completion bash)                                      in ~/.bashrc
  ${PROGRAM} completion zsh > "\${fpath[1]}/_${PROGRAM}"                    once, before compinit
  ${PROGRAM} completion fish > ~/.config/fish/completions/${PROGRAM}.fish  once`;

export function completionCommand(loadAll: () => Promise<Command[]>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', NOTES)
    .action(async (shell: Shell) => {
      const commands = (await loadAll()).map(commandWords);
      printText(SCRIPTS[shell](PROGRAM, [...commands, helpWords(commands)]));
    });
}
