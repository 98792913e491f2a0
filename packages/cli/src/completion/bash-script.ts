// Completion for bash. It uses nothing but bash itself: the bash-completion package need not be there.

import type { CommandWords, OptionWords } from './command-words.js';

export function bashScript(program: string, commands: readonly CommandWords[]): string {
  const id = `_${program.replaceAll('-', '_')}`;
  return `# bash completion of ${program}; source it
${id}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command=serve first=1 i word value='' operand=''
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      exec-server) first=2 ;;
      ${commands.map(({ name }) => name).join(' | ')}) command=\${COMP_WORDS[1]} first=2 ;;
    esac
  fi
  COMPREPLY=()
  for ((i = first; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $value ]]; then
      value=''
    elif [[ $word == -- ]]; then
      ((i++))
      operand=$i
      break
    elif [[ $word == -* ]]; then
      case $command:$word in
        ${takingValue(commands)}) value=$word ;;
      esac
    else
      operand=$i
      break
    fi
  done
  if [[ -n $value ]]; then
    case $command:$value in
${commands.flatMap(valueCases).join('\n')}
    esac
    return
  fi
  case $command in
    ${runners(commands)})
      if [[ -n $operand ]] && declare -F _command_offset >/dev/null; then _command_offset "$operand"; return; fi
      if [[ -n $operand ]] && ((COMP_CWORD > operand)); then COMPREPLY=($(compgen -f -- "$cur")); return; fi ;;
  esac
  if [[ $cur == -* && -z $operand ]]; then
    case $command in
${commands.map(optionCase).join('\n')}
    esac
    return
  fi
  ((COMP_CWORD == 1)) && COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$cur")) && return
  case $command in
${commands.flatMap(operandCase).join('\n')}
  esac
}
complete -o filenames -F ${id} ${program}
`;
}

function takingValue(commands: readonly CommandWords[]): string {
  return commands
    .flatMap(({ name, options }) =>
      options
        .filter(({ value }) => value.kind !== 'none')
        .flatMap(({ names }) => names.map((word) => `${name}:${word}`)),
    )
    .join(' | ');
}

function valueCases({ name, options }: CommandWords): string[] {
  return options.flatMap(({ names, value }) => {
    const words = names.map((word) => `${name}:${word}`).join(' | ');
    if (value.kind === 'choice') {
      const paths = value.orPath === true ? ' -f' : '';
      return [`      ${words}) COMPREPLY=($(compgen${paths} -W '${value.choices.join(' ')}' -- "$cur")) ;;`];
    }
    return value.kind === 'path' ? [`      ${words}) COMPREPLY=($(compgen -f -- "$cur")) ;;`] : [];
  });
}

function optionCase({ name, options }: CommandWords): string {
  const words = options.flatMap(({ names }: OptionWords) => names.filter((word) => word.startsWith('--')));
  return `      ${name}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")) ;;`;
}

function operandCase({ name, operands }: CommandWords): string[] {
  switch (operands.kind) {
    case 'choice':
      return [`    ${name}) COMPREPLY=($(compgen -W '${operands.choices.join(' ')}' -- "$cur")) ;;`];
    case 'command':
      return [`    ${name}) COMPREPLY=($(compgen -c -- "$cur")) ;;`];
    case 'path':
      return [`    ${name}) COMPREPLY=($(compgen -f -- "$cur")) ;;`];
    case 'none':
    case 'other':
      return [];
  }
}

function runners(commands: readonly CommandWords[]): string {
  return commands.flatMap(({ name, operands }) => (operands.kind === 'command' ? [name] : [])).join(' | ');
}
