// Something that no server or helper of ours says. The side that hears it gives the other one up.
import { CodedError } from '@codex/exec-protocol';

export class HelperProtocolError extends CodedError<'FILE_HELPER_PROTOCOL'> {
  constructor(message: string) {
    super('FILE_HELPER_PROTOCOL', message);
  }
}
