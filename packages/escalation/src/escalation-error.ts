// What this package throws.

export type EscalationErrorCode =
  /** No shell of this host can be intercepted. */
  | 'NO_SHELL'
  /** The native programs are not there for this machine. */
  | 'NO_WRAPPER'
  /** The door that brokers come through cannot be opened. */
  | 'NO_DOOR'
  /** A call was used in a way that it cannot be. */
  | 'BAD_CALL'
  /** A record of a broker, or a frame of the wire, is not understood. */
  | 'BAD_RECORD'
  /** A variable was listed that decides what programs outside load or run. */
  | 'ESCALATE_ENV_REFUSED'
  /** The audit log cannot be appended to. */
  | 'AUDIT_LOG_UNUSABLE'
  /** The sandbox or the shell did not come up, and nothing of the command has run. */
  | 'SHELL_NOT_STARTED';

export class EscalationError extends Error {
  override readonly name = 'EscalationError';
  readonly code: EscalationErrorCode;

  constructor(code: EscalationErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
