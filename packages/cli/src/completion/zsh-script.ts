// Completion for zsh, as a function for its completion system. (A variable called `commands` would hide that of zsh.)

import type { CommandWords, OptionWords, ValueKind } from './command-words.js';

export function zshScript(program: string, commands: readonly CommandWords[]): string {
  const id = `_${program}`;
  const list = commands.map(({ name, text }) => `    ${quoted(`${name}:${text}`)}`).join('\n');
  return `#compdef ${program}
# zsh completion of ${program}
${id}() {
  local -a subcommands=(
${list}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command subcommands
    return
  fi
  local command=serve
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    [[ $command == exec-server ]] && command=serve
    shift words
    ((CURRENT--))
  fi
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  ${id} "$@"
else
  compdef ${id} ${program}
fi
`;
}

function commandCase({ name, options, operands }: CommandWords): string {
  const specs = [...options.flatMap(optionSpecs), ...operandSpecs(operands)];
  return `    ${name})
      _arguments -S ${specs.map((spec) => `\\\n        ${quoted(spec)}`).join(' ')} ;;`;
}

function optionSpecs({ names, text, value }: OptionWords): string[] {
  return names.map((name) => `*${name}[${escaped(text)}]${valueSpec(value)}`);
}

function valueSpec(value: ValueKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'choice':
      return value.orPath === true
        ? `:value:_alternative "values\\:value\\:(${value.choices.join(' ')})" "files\\:file\\:_files"`
        : `:value:(${value.choices.join(' ')})`;
    case 'path':
      return ':file:_files';
    case 'other':
      return ':value: ';
  }
}

function operandSpecs(operands: CommandWords['operands']): string[] {
  switch (operands.kind) {
    case 'command':
      return ['(-)1:command:_command_names -e', '*::arguments:_normal'];
    case 'choice':
      return [`1:value:(${operands.choices.join(' ')})`];
    case 'path':
      return ['*:file:_files'];
    case 'none':
    case 'other':
      return [];
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
