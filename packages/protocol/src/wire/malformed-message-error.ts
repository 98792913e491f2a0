// A message that cannot be understood at all. The transport puts its own prefix before the sentence.
import { CodedError } from '../errors/coded-error.js';

export class MalformedMessageError extends CodedError<'MALFORMED_MESSAGE'> {
  constructor(message: string, cause?: unknown) {
    super('MALFORMED_MESSAGE', message, cause === undefined ? {} : { cause });
  }
}
