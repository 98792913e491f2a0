// The error of a call whose helper ended, hung or broke the protocol.
import { CodedError } from '@codex/exec-protocol';

/** `START`: it never came up. `ENDED`: it did, and the outcome of the request is unknown. */
export type HelperLostErrorCode = 'FILE_HELPER_START' | 'FILE_HELPER_ENDED';

export class HelperLostError extends CodedError<HelperLostErrorCode> {}
