// Flags of the real `codex exec-server`, for scripts that start it. One that makes no difference to a server of this
// kind is accepted; one whose meaning cannot be kept is refused, with the reason.

import { CodedError } from '@codex/exec-protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';

export class CodexFlagError extends CodedError<'CODEX_FLAG_UNSUPPORTED'> {
  constructor(message: string) {
    super('CODEX_FLAG_UNSUPPORTED', message);
  }
}

const GROUP = 'Flags of `codex exec-server` that change nothing here:';

/** They concern Codex's own config.toml, which a server without --remote does not read there either. */
const ACCEPTED: readonly (readonly [flags: string, text: string, parse?: (text: string) => unknown])[] = [
  ['--concurrent-requests <count>', 'requests are always served concurrently, as if in order', positive],
  ['-c <key=value>', "a value of Codex's own config.toml, which is not read"],
  ['--enable <feature>', 'a feature of Codex'],
  ['--disable <feature>', 'a feature of Codex'],
  ['--strict-config', "Codex's own config.toml is not read"],
  ['--proxy-private-ips-via-upstream', 'there is no managed network proxy here'],
  ['--environment-id <id>', 'concerns --remote'],
];

const REMOTE =
  'this server does not register itself with a remote service; `codex exec-server forward --connect ws://…` in front of it does';

const REMOTE_FLAGS: readonly string[] = [
  '--remote <url>',
  '--remote-transport <transport>',
  '--use-agent-identity-auth',
  '--registration-bearer-stdin',
  '--executor-credential-stdin',
  '--chatgpt-token-stdin',
  '--chatgpt-account-id <id>',
  '--aws-sigv4',
  '--aws-profile <profile>',
  '--aws-region <region>',
  '--aws-service <service>',
];

const PID_NAMESPACES = ['isolate', 'inherit'] as const;

export function addCodexFlags(command: Command): void {
  for (const [flags, text, parse] of ACCEPTED) {
    const option = new Option(flags, text).helpGroup(GROUP);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  command.addOption(
    new Option('--linux-sandbox-pid-namespace <mode>', 'isolate is what is done; inherit is refused')
      .choices(PID_NAMESPACES)
      .helpGroup(GROUP),
  );
  for (const flags of REMOTE_FLAGS) command.addOption(new Option(flags).hideHelp());
}

/** Throws for a flag that would have made a difference. */
export function refuseCodexFlags(command: Command): void {
  const isGiven = (option: Option): boolean => command.getOptionValueSource(option.attributeName()) === 'cli';
  const remote = command.options.find((option) => REMOTE_FLAGS.includes(option.flags) && isGiven(option));
  if (remote !== undefined) throw new CodexFlagError(`\`${remote.long}\`: ${REMOTE}`);
  if (command.getOptionValue('linuxSandboxPidNamespace') === 'inherit') {
    throw new CodexFlagError(
      '`--linux-sandbox-pid-namespace inherit`: a sandboxed command of this server always has a PID namespace of its own',
    );
  }
}

/** `--config key=value` is the long form of `-c`; a file of such a name is written ./key=value. */
export function isCodexOverride(config: string): boolean {
  return /^[\w.-]+=/.test(config);
}

function positive(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('expected a whole number above zero.');
  return Number(text);
}
