// Where a result of UnifiedExec deliberately reads otherwise than that of the CLI. Everything that is not listed is equal.

interface ListedText {
  readonly why: string;
  readonly real: RegExp;
  readonly ours: string;
}

const LISTED: readonly ListedText[] = [
  {
    why: 'a sentence instead of the debug form of nested errors, when a process cannot be started',
    real: /^exec_command failed: CreateProcess \{ message: "Rejected\(\\"Failed to create unified exec process: exec-server rejected request \(-\d+\): (.*)\\"\)" \}$/s,
    ours: 'exec_command failed: cannot start in *: $1',
  },
  {
    why: 'the same when a command is refused',
    real: /^exec_command failed: CreateProcess \{ message: "Rejected\(\\"(.*)\\"\)" \}$/s,
    ours: 'exec_command failed: $1',
  },
  {
    why: 'no position in the text: the sentence names what is wrong',
    real: /^(failed to parse function arguments: .*) at line \d+ column \d+$/s,
    ours: '$1',
  },
  {
    why: 'a policy is named, not dumped',
    real: /Granular\(GranularApprovalConfig \{[^}]*\}\)/g,
    ours: 'Granular',
  },
];

export function asOurs(real: string): string {
  return LISTED.reduce((text, { real: pattern, ours }) => text.replace(pattern, ours), real);
}
