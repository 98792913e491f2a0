// A message that cannot be understood at all. The transport puts its own prefix before the sentence.
import { CodedError } from '../errors/coded-error.js';

export class MalformedMessageError extends CodedError<'MALFORMED_MESSAGE'> {
  /** Nothing is wrong with it but its size, so that its sender is to be told under its own id. */
  isTooMuch = false;

  constructor(message: string, cause?: unknown) {
    super('MALFORMED_MESSAGE', message, cause === undefined ? {} : { cause });
  }

  static tooMuch(message: string): MalformedMessageError {
    return Object.assign(new MalformedMessageError(message), { isTooMuch: true });
  }
}
