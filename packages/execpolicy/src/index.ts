// @codex/execpolicy: the `.rules` files of Codex. Parsing, judging commands, and appending approvals.
export { checkJson } from './check/check-json.js';
export type { CheckOptions, CheckResult, Policy, RuleMatch } from './check/policy.js';
export { ExecPolicyError, type ExecPolicyErrorCode, type RulesPlace } from './exec-policy-error.js';
export { appendAllowRule } from './load/append-allow-rule.js';
export { parsePolicy, type RulesSource } from './load/parse-policy.js';
export { listRuleFiles, loadRules, readPolicy } from './load/read-rules.js';
export type { Decision } from './rules/decision.js';
export type { NetworkProtocol, NetworkRule } from './rules/network-rule.js';
export type { PrefixRule } from './rules/prefix-rule.js';
