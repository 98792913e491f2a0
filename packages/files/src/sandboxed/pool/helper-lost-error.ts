// A helper that ended, hung or answered nonsense while a request was waiting for it.
import { CodedError } from '@codex/exec-protocol';

/** `START`: it never came up. `ENDED`: it did, and the outcome of the request is unknown. */
export type HelperLostErrorCode = 'FILE_HELPER_START' | 'FILE_HELPER_ENDED';

export class HelperLostError extends CodedError<HelperLostErrorCode> {}
