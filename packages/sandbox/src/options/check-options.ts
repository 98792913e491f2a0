// Options are checked when a call is made: in a sandbox a misspelt name is a protection that is silently absent.
import { findWrongOption, type OptionRules } from '@codex/exec-protocol/options';
import { SandboxError } from '../errors.js';

/** Throws `SANDBOX_POLICY_INVALID` for the first thing that is wrong. */
export function checkOptions(options: unknown, rules: OptionRules): void {
  const wrong = findWrongOption(options, rules);
  if (wrong !== undefined) throw new SandboxError('SANDBOX_POLICY_INVALID', wrong.message);
}
