// The part of ajv's interface that generated validators have.

export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
