// `exec-server execpolicy check`: judges a command by rule files, and prints what Codex prints.

import { checkJson, readPolicy } from '@codex/execpolicy';
import { Argument, Command, Option } from 'commander';
import { ExitCode } from '../exit-code.js';
import { printError, printText } from '../print-text.js';
import { type CheckArguments, CheckArgumentsError, readCheckArguments } from './check-arguments.js';

const USAGE_ERROR = 2;
const TOOLS = ['check', 'help'] as const;
type Tool = (typeof TOOLS)[number];

const GROUP = 'Flags of Codex that change nothing here (its config.toml is not read):';

const NOTES = `
check prints one line of JSON: the rules that match, and the strictest of their decisions. It runs nothing.

  -r, --rules <path>            a rule file; may be repeated
  --pretty                      indent the JSON
  --resolve-host-executables    let rules for a program's name apply to its path (see host_executable)

Exit codes: 0 whatever is decided, 1 for a rule file that cannot be read or is wrong, 2 for a wrong command line.

Examples:
  exec-server execpolicy check --rules ~/.codex/rules/default.rules git push origin
  exec-server execpolicy check -r a.rules -r b.rules --resolve-host-executables -- /usr/bin/git status`;

export function execpolicyCommand(): Command {
  const command = new Command('execpolicy')
    .usage('check [options] --rules <path> [--] COMMAND [ARGUMENTS...]')
    .addArgument(new Argument('<tool>', 'check').choices(TOOLS))
    .argument('[words...]', 'the flags of check, then the command and its arguments')
    .passThroughOptions()
    .addHelpText('after', NOTES);
  for (const flags of ['-c, --config <key=value>', '--enable <feature>', '--disable <feature>']) {
    command.addOption(new Option(flags).helpGroup(GROUP));
  }
  return command.action(async (tool: Tool, words: readonly string[]) => {
    const request = tool === 'help' ? 'help' : readOrComplain(words);
    if (request === 'help') command.outputHelp();
    else await check(request);
  });
}

function readOrComplain(words: readonly string[]): CheckArguments | 'help' {
  try {
    return readCheckArguments(words);
  } catch (error) {
    if (!(error instanceof CheckArgumentsError)) throw error;
    printError(`error: ${error.message}\n\nFor more information, try '--help'.\n`);
    throw new ExitCode(USAGE_ERROR);
  }
}

async function check({ rules, command, pretty, resolveHostExecutables }: CheckArguments): Promise<void> {
  const policy = await readPolicy(rules);
  printText(`${checkJson(policy.check(command, { resolveHostExecutables }), { pretty })}\n`);
}
