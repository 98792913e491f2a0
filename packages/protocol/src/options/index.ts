// The run-time check of options that `@codex/exec-client` and `@codex/sandbox` share.
export { findWrongOption, isPlainRecord, type OptionRules, show, type ValueRule } from './check-options.js';
export { nearestName } from './nearest-name.js';
export {
  abortSignal,
  anything,
  callback,
  count,
  duration,
  flag,
  nested,
  oneOf,
  record,
  someOf,
  text,
  texts,
} from './value-rules.js';
