// What stands in a line of the audit log.
import type { RuleMatch } from '@codex/execpolicy';

export type AuditRecord =
  | ExecRecord
  /** A program begins to run outside; its `exec` line follows when it has ended, unless this server dies before. */
  | (Omit<ExecRecord, 'event' | 'exitCode'> & { readonly event: 'escalate' });

export interface ExecRecord {
  readonly event: 'exec';
  readonly call: string;
  /** Counts the execs of a call. */
  readonly exec: number;
  /** Where the program lies, links followed; as it was given where that is not known. */
  readonly program: string;
  readonly argv: readonly string[];
  /** Of very many or very long words, those that `argv` does not have in full. */
  readonly omittedWords?: number;
  readonly workdir: string;
  readonly action: 'run' | 'escalate' | 'deny';
  readonly reason: string;
  readonly matchedRules: readonly RuleMatch[];
  readonly asked: boolean;
  /** Of what ran outside, and of what was denied. Null for what runs inside: the shell alone sees how that ends. */
  readonly exitCode: number | null;
}
