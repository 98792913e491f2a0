// Well-known values of options that take others as well, so that commander does not know them.

import { POLICY_NAMES } from '../sandbox/policy-options.js';

export interface SuggestedValues {
  readonly choices: readonly string[];
  /** A path of this machine is a value as well. */
  readonly orPath?: boolean;
}

/** By command and option. */
export const SUGGESTED_VALUES: Readonly<Record<string, SuggestedValues>> = {
  'sandbox --policy': { choices: POLICY_NAMES, orPath: true },
  'serve --listen': { choices: ['stdio'] },
};
