// Checks the options of `run` at run time.

import { callback, flag, type OptionRules, type ValueRule } from '@codex/exec-protocol/options';
import { checkOptions } from '../options/check-options.js';
import { SPAWN_NAMES, SPAWN_VALUES } from '../options/spawn-option-rules.js';
import type { RunOptions } from './run-promise.js';

const RUN_VALUES = {
  ...SPAWN_VALUES,
  check: flag,
  onOutput: callback,
} as const satisfies Record<keyof RunOptions, ValueRule>;

const RUN_RULES: OptionRules = { of: 'run', values: RUN_VALUES, otherNames: SPAWN_NAMES };

export function checkRunOptions(options: object): void {
  checkOptions(options, RUN_RULES);
}
