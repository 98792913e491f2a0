// The one error of this package: what is wrong with a rule file, and where.

export type ExecPolicyErrorCode =
  | 'RULES_UNREADABLE'
  | 'RULES_SYNTAX'
  | 'RULES_UNSUPPORTED'
  | 'RULES_EVALUATION'
  | 'RULES_INVALID'
  | 'RULES_EXAMPLE'
  | 'RULES_LIMIT'
  | 'RULES_UNWRITABLE';

/** Lines and columns count from 1; a column counts characters, not bytes. */
export interface RulesPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export class ExecPolicyError extends Error {
  readonly code: ExecPolicyErrorCode;
  /** What is wrong, without the file and the place. */
  readonly reason: string;
  readonly file: string;
  readonly place: RulesPlace | undefined;

  constructor(code: ExecPolicyErrorCode, reason: string, where: string | RulesPlace, options?: ErrorOptions) {
    const file = typeof where === 'string' ? where : where.file;
    const at = typeof where === 'string' ? '' : `\n  at ${file}:${where.line}:${where.column}`;
    super(`${HEADLINES[code] ?? 'failed to parse policy at'} ${file}\n  ${reason}${at}`, options);
    this.code = code;
    this.reason = reason;
    this.file = file;
    this.place = typeof where === 'string' ? undefined : where;
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true });
  }
}

const HEADLINES: Readonly<Partial<Record<ExecPolicyErrorCode, string>>> = {
  RULES_UNREADABLE: 'failed to read policy at',
  RULES_UNWRITABLE: 'failed to write policy at',
};
