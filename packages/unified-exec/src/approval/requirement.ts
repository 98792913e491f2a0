// Whether a command needs an approval before its first attempt. Rules decide first, then the policy.

import { type ApprovalPolicy, policyName, type RuleVerdict } from './approval.js';

export type Requirement =
  | { readonly kind: 'forbidden'; readonly reason: string }
  | { readonly kind: 'ask' }
  /** `bypassSandbox`: a rule allows the command as it is. */
  | { readonly kind: 'skip'; readonly bypassSandbox: boolean };

export interface RequirementFacts {
  readonly verdict: RuleVerdict | undefined;
  readonly policy: ApprovalPolicy;
  /** The call wants out of the sandbox. */
  readonly escalated: boolean;
  /** The sandbox keeps the command from something: leaving it is worth a question. */
  readonly isRestricted: boolean;
}

export function requirementOf({ verdict, policy, escalated, isRestricted }: RequirementFacts): Requirement {
  switch (verdict?.decision) {
    case 'allow':
      return { kind: 'skip', bypassSandbox: true };
    case 'forbidden':
      return { kind: 'forbidden', reason: verdict.justification ?? 'a rule forbids this command' };
    case 'prompt':
      return asksForRules(policy)
        ? { kind: 'ask' }
        : { kind: 'forbidden', reason: unasked(policy, verdict.justification) };
    case undefined:
      return unmatched({ policy, escalated, isRestricted });
  }
}

function unmatched({ policy, escalated, isRestricted }: Omit<RequirementFacts, 'verdict'>): Requirement {
  if (policy === 'untrusted') return { kind: 'ask' };
  if (policy !== 'never' && isRestricted && escalated) return { kind: 'ask' };
  return { kind: 'skip', bypassSandbox: false };
}

function asksForRules(policy: ApprovalPolicy): boolean {
  return typeof policy === 'object' ? policy.granular.rules : policy !== 'never';
}

function unasked(policy: ApprovalPolicy, justification: string | undefined): string {
  const why = justification === undefined ? '' : `: ${justification}`;
  return `a rule requires an approval, and the approval policy is ${policyName(policy)}${why}`;
}
