// The error of a frame that breaks the protocol between server and helper. The side that receives one gives the other
// one up.
import { CodedError } from '@codex/exec-protocol';

export class HelperProtocolError extends CodedError<'FILE_HELPER_PROTOCOL'> {
  constructor(message: string) {
    super('FILE_HELPER_PROTOCOL', message);
  }
}
