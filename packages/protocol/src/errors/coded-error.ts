// The base of every error that stays on one side of the wire: a code from a closed union, a cause, typed details.

export interface CodedErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: Code, message: string, options: CodedErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details ?? {};
    // Not enumerable, so that a logged or compared error shows its data and not its class machinery.
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true });
  }
}
