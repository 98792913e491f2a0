// Why a call gave no output: a sentence for the model, a stable code for the program, and what to do about it.

export type UnifiedExecErrorCode =
  | 'tool.unknown'
  | 'tool.arguments'
  | 'tool.sessionUnknown'
  | 'tool.stdinClosed'
  | 'tool.stdinFailed'
  | 'tool.escalationRefused'
  | 'tool.forbidden'
  | 'tool.rejected'
  | 'tool.startFailed'
  | 'tool.patch'
  | 'tool.processLost'
  | 'tool.aborted'
  | 'tool.tooManyCalls'
  | 'tool.disposed'
  | 'tool.internal';

/** A model that sends megabytes does not get them back, nor does an observer. */
const MAX_MESSAGE = 2_000;

export class ToolFailure extends Error {
  readonly code: UnifiedExecErrorCode;
  /** What the model may do now. */
  readonly hint: string;

  constructor(code: UnifiedExecErrorCode, message: string, options: { hint: string; cause?: unknown }) {
    super(
      message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.hint = options.hint;
    Object.defineProperty(this, 'name', { value: 'ToolFailure', configurable: true });
  }
}

/** The caller gave the call up before it did anything. */
export function aborted(tool: 'exec_command' | 'write_stdin'): ToolFailure {
  const done = tool === 'exec_command' ? 'Nothing of it runs' : 'Nothing was written';
  return new ToolFailure('tool.aborted', `${tool} failed: the call was aborted`, {
    hint: `${done}; call again if it is still wanted.`,
  });
}

/** An application that throws where it was asked something is no reason to leave a model without an answer. */
export function asToolFailure(error: unknown, tool: string): ToolFailure {
  if (error instanceof ToolFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ToolFailure('tool.internal', `${tool} failed: ${message}`, {
    hint: 'This is no fault of the call; try it once more.',
    cause: error,
  });
}
