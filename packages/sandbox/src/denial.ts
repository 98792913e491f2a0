// Was a failed command denied something by its sandbox? A guess from its exit code and its output, the same guess that
// Codex makes, so that both ask the user in the same cases. It never looks at the sandbox itself: a command that prints
// "permission denied" for its own reasons counts, one that hides the message does not.

export type SandboxBackend = 'none' | 'linuxSeccomp' | 'macosSeatbelt' | 'windowsRestrictedToken';

export interface FinishedCommand {
  readonly sandbox: SandboxBackend;
  readonly exitCode: number;
  readonly stderr: string;
  readonly stdout: string;
  /** What both streams printed, in order, where that is kept. */
  readonly combined?: string;
}

export type DenialReason =
  | 'operation_not_permitted'
  | 'permission_denied'
  | 'read_only_file_system'
  | 'policy_denied'
  | 'failed_to_write_file'
  | 'sigsys';

/** Why a command counts as denied. For the caller's log and screen; it may name paths of this host. */
export interface DenialEvidence {
  readonly reason: DenialReason;
  /** The line that decided, cut to 512 characters; empty for a signal. */
  readonly line: string;
  /** The path the line complains about, when it names one. */
  readonly path: string | undefined;
}

const keywords: readonly (readonly [string, DenialReason])[] = [
  ['operation not permitted', 'operation_not_permitted'],
  ['permission denied', 'permission_denied'],
  ['read-only file system', 'read_only_file_system'],
  ['seccomp', 'policy_denied'],
  ['sandbox', 'policy_denied'],
  ['landlock', 'policy_denied'],
  ['failed to write file', 'failed_to_write_file'],
];
const sigsysExit = 128 + 31;
const maxLine = 512;

export function findDenial(command: FinishedCommand): DenialEvidence | undefined {
  if (command.sandbox === 'none' || command.exitCode === 0) return undefined;
  for (const text of [command.stderr, command.stdout, command.combined ?? '']) {
    const lower = text.toLowerCase();
    for (const [keyword, reason] of keywords) {
      const at = lower.indexOf(keyword);
      if (at !== -1) return { reason, line: lineAround(text, at), path: complainedPath(text) };
    }
  }
  if (command.sandbox === 'linuxSeccomp' && command.exitCode === sigsysExit) {
    return { reason: 'sigsys', line: '', path: undefined };
  }
  return undefined;
}

export function isLikelyDenied(command: FinishedCommand): boolean {
  return findDenial(command) !== undefined;
}

function lineAround(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  return text
    .slice(start, end === -1 ? undefined : end)
    .trim()
    .slice(0, maxLine);
}

/** `touch: cannot touch '/etc/x': Read-only file system`: what stands before the complaint, if it is a path. */
function complainedPath(text: string): string | undefined {
  const complaint = /^(.*): (?:operation not permitted|permission denied|read-only file system)/im.exec(
    text,
  )?.[1];
  if (complaint === undefined) return undefined;
  const subject = complaint.slice(complaint.lastIndexOf(': ') + 1).trim();
  const quoted = /['"‘`]([^'"’`]+)['"’`]\s*$/.exec(subject)?.[1] ?? subject;
  return /^(\/|\.\/|\.\.\/)/.test(quoted) ? quoted : undefined;
}
