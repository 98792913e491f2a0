// `exec-server sandbox CMD`: runs a command in a policy, with this terminal, for people and scripts.

import {
  describeLostMount,
  type PreparedSandbox,
  prepareSandbox,
  runInForeground,
  SandboxError,
  type SandboxPolicy,
  type WeakerForm,
} from '@codex/sandbox';
import { Command, Option } from 'commander';
import { ownFolders } from '../exec-server/own-folders.js';
import { ExitCode } from '../exit-code.js';
import { printError, printJson, printText } from '../print-text.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { WEAKER_FORMS, weakerForm } from '../settings/weaker-forms.js';
import { workingFolder } from '../working-folder.js';
import { NETWORKS, POLICY_NAMES, type PolicyFlags, policyFromFlags } from './policy-options.js';

interface SandboxFlags extends PolicyFlags {
  readonly acceptWeakerSandbox?: readonly WeakerForm[];
  readonly check?: boolean;
  readonly json?: boolean;
}

interface SandboxCall extends SandboxFlags {
  readonly ownFolders: readonly string[];
}

const NOTES = `
With --check the command is not run: stdout says how the policy would be enforced here, or why it cannot be (exit
code 1). With --json that is one line of JSON; of a command that was run it goes to stderr, after the command's own,
with \`denial\` where the sandbox probably made it fail: reason, line and path (not for output on a terminal), and
\`lostMount\` where it was ended because a file that the sandbox covers was replaced, removed or moved from outside.

Examples:
  exec-server sandbox make test
  exec-server sandbox --policy read-only --network enabled curl https://example.com
  exec-server sandbox --check --json --deny '**/*.env' true`;

export function sandboxCommand(runtimePaths: ExecServerRuntimePaths): Command {
  return new Command('sandbox')
    .usage('[options] [--] COMMAND [ARGUMENTS...]')
    .argument('<command...>', 'the command and its arguments')
    .passThroughOptions()
    .option(
      '--policy <policy>',
      `${POLICY_NAMES.join(', ')}, or a JSON file with a policy`,
      'workspace-write',
    )
    .addOption(
      new Option('--network <network>', 'what the command may reach').choices(NETWORKS).default('restricted'),
    )
    .option('--writable <path>', 'writable besides the current directory; may be repeated', collect)
    .option('--deny <path>', 'a path or glob that may not even be read; may be repeated', collect)
    .option(
      '--allow-commits',
      'let git commit in the current directory (never its hooks and configuration); use no git outside until the command has ' +
        'ended: it cannot change the configuration there (git config, git push -u), and could be led to one of the command',
    )
    .addOption(
      new Option(
        '--accept-weaker-sandbox <form>',
        'a weaker form that is better than none here (see exec-server doctor); may be repeated',
      )
        .choices(WEAKER_FORMS)
        .argParser(weakerForm),
    )
    .option('--check', 'do not run it; tell whether the policy can be enforced here, and how')
    .option('--json', 'tell what the sandbox has to say as JSON')
    .addHelpText('after', NOTES)
    .action((argv: string[], flags: SandboxFlags) =>
      act(argv, { ...flags, ownFolders: ownFolders(runtimePaths) }),
    );
}

async function act(argv: readonly string[], flags: SandboxCall): Promise<void> {
  let prepared: PreparedSandbox;
  let policy: SandboxPolicy;
  try {
    policy = policyFromFlags(flags, workingFolder());
    prepared = await prepare(argv, policy, flags);
  } catch (error) {
    if (flags.json !== true || !(error instanceof SandboxError)) throw error;
    tell({ enforceable: false, error: { code: error.code, message: error.message } }, flags);
    throw new ExitCode(1);
  }
  if (flags.check === true) await check(prepared, flags);
  else await run(prepared, policy, flags);
}

async function check(prepared: PreparedSandbox, flags: SandboxFlags): Promise<void> {
  const { type, warnings } = prepared;
  await prepared.finish().cleanup;
  if (flags.json === true) {
    tell({ enforceable: true, type, warnings }, flags);
    return;
  }
  printText(
    type === 'none' ? 'This policy restricts nothing.\n' : `This policy can be enforced here (${type}).\n`,
  );
  for (const warning of warnings) printText(`${warning}\n`);
}

async function run(
  prepared: PreparedSandbox,
  { network }: SandboxPolicy,
  flags: SandboxFlags,
): Promise<void> {
  const { type, warnings } = prepared;
  if (flags.json !== true) for (const warning of warnings) printError(`sandbox: ${warning}\n`);
  const { exitCode, violations, denial, lostMount } = await runInForeground(
    prepared,
    flags.json === true ? { findDenial: { network } } : {},
  );
  if (flags.json === true) {
    const end = { exitCode, violations, denial: denial ?? null, lostMount: lostMount ?? null };
    tell({ enforceable: true, type, warnings, ...end }, flags);
  } else {
    for (const violation of violations) printError(`sandbox: ${violation}\n`);
    if (lostMount !== undefined) printError(`${describeLostMount(lostMount)}\n`);
  }
  if (exitCode !== 0) throw new ExitCode(exitCode);
}

/** Stdout is the command's own where one is run. */
function tell(report: object, { check }: SandboxFlags): void {
  if (check === true) printJson(report);
  else printError(`${JSON.stringify(report)}\n`);
}

function prepare(
  argv: readonly string[],
  policy: SandboxPolicy,
  flags: SandboxCall,
): Promise<PreparedSandbox> {
  return prepareSandbox({
    argv,
    cwd: workingFolder(),
    env: definedVariables(process.env),
    policy,
    ...(process.env['TMPDIR'] === undefined ? {} : { context: { tmpdir: process.env['TMPDIR'] } }),
    accept: flags.acceptWeakerSandbox ?? [],
    ownFolders: flags.ownFolders,
    terminal: process.stdin.isTTY,
    outputIsTerminal: process.stdout.isTTY || process.stderr.isTTY,
  });
}

function definedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function collect(path: string, collected: readonly string[] = []): string[] {
  return [...collected, path];
}
