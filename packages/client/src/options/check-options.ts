// Options are checked when a call is made; a wrong one is the `argument.invalid` of that call.

import { findWrongOption, type OptionRules } from '@codex/exec-protocol/options';
import { invalidArgument } from '../exec-server-error.js';

/** Throws `argument.invalid` for the first thing that is wrong. */
export function checkOptions(options: unknown, rules: OptionRules): void {
  const wrong = findWrongOption(options, rules);
  if (wrong !== undefined) throw invalidArgument(wrong.option, wrong.message);
}
