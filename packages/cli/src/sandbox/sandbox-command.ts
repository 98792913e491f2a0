// `codex sandbox -- CMD`: runs a command in a policy, with this terminal, for people and scripts.

import { prepareSandbox, runInForeground } from '@codex/sandbox';
import { Command, Option } from 'commander';
import { ExitCode } from '../exit-code.js';
import { NETWORKS, type PolicyFlags, policyFromFlags } from './policy-options.js';

export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Run a command in a sandbox')
    .usage('[options] -- COMMAND [ARGUMENTS...]')
    .argument('<command...>', 'the command and its arguments')
    .option(
      '--policy <policy>',
      'read-only, workspace-write, full-access, or a JSON file with a policy',
      'workspace-write',
    )
    .addOption(
      new Option('--network <network>', 'what the command may reach').choices(NETWORKS).default('restricted'),
    )
    .option('--writable <path...>', 'directories that may be written besides the current one')
    .option('--deny <path...>', 'paths or globs that may not even be read')
    .option('--allow-commits', 'let git commit in the current directory (never its hooks and configuration)')
    .action((argv: string[], flags: PolicyFlags) => runInSandbox(argv, flags));
}

async function runInSandbox(argv: readonly string[], flags: PolicyFlags): Promise<void> {
  const cwd = process.cwd();
  const prepared = await prepareSandbox({
    argv,
    cwd,
    env: definedVariables(process.env),
    policy: policyFromFlags(flags, cwd),
    ...(process.env['TMPDIR'] === undefined ? {} : { context: { tmpdir: process.env['TMPDIR'] } }),
    terminal: process.stdin.isTTY,
  });
  for (const warning of prepared.warnings) process.stderr.write(`sandbox: ${warning}\n`);
  const { exitCode, violations } = await runInForeground(prepared);
  for (const violation of violations) process.stderr.write(`sandbox: ${violation}\n`);
  if (exitCode !== 0) throw new ExitCode(exitCode);
}

function definedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
