// The exception by which a command sets the program's exit code without an error message.

/** As a shell says it of a program that SIGPIPE has ended: whoever read its output has left. */
export const READER_LEFT = 141;

export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}
