// The error of a computation. The interpreter knows the place in the file, and adds it.

import type { ExecPolicyErrorCode } from '../exec-policy-error.js';

export class Fault extends Error {
  readonly code: ExecPolicyErrorCode;

  constructor(code: ExecPolicyErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function mistake(message: string): Fault {
  return new Fault('RULES_EVALUATION', message);
}

/** Where Codex has an answer that is not computed here. */
export function unsupported(what: string): Fault {
  return new Fault('RULES_UNSUPPORTED', `${what}: not supported in rule files here`);
}
