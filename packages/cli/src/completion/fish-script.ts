// Completion for fish: one `complete` line for each word.

import type { CommandWords, OptionWords } from './command-words.js';

export function fishScript(program: string, commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const complete = `complete -c ${program}`;
  const isFirst = `__fish_is_first_token`;
  return [
    `# fish completion of ${program}`,
    `${complete} -f`,
    ...commands.map(({ name, text }) => `${complete} -n ${isFirst} -a ${name} -d ${quoted(text)}`),
    ...commands.flatMap(({ name, options, operands }) => {
      const when =
        name === 'serve'
          ? `-n ${quoted(`not __fish_seen_subcommand_from ${names.replace('serve ', '')}`)}`
          : `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
      return [
        ...options.map((option) => `${complete} ${when} ${optionWords(option)}`),
        ...operandWords(operands).map((words) => `${complete} ${when} ${words}`),
      ];
    }),
    '',
  ].join('\n');
}

function optionWords({ names, text, value }: OptionWords): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = {
    none: () => [],
    choice: () => [
      value.kind === 'choice' && value.orPath === true ? '-rF' : '-x',
      `-a ${quoted(value.kind === 'choice' ? value.choices.join(' ') : '')}`,
    ],
    path: () => ['-r', '-F'],
    other: () => ['-x'],
  }[value.kind]();
  return [...words, ...values, `-d ${quoted(text)}`].join(' ');
}

function operandWords(operands: CommandWords['operands']): string[] {
  switch (operands.kind) {
    case 'command':
      return [`-x -a ${quoted('(__fish_complete_subcommand --fcs-skip=2)')}`];
    case 'choice':
      return [`-x -a ${quoted(operands.choices.join(' '))}`];
    case 'path':
      return ['-F'];
    case 'none':
    case 'other':
      return [];
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
