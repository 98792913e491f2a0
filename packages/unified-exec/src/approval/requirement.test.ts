import { describe, expect, it } from 'vitest';
import type { ApprovalPolicy } from './approval.js';
import { asksForSandbox, retriesDenials } from './approval.js';
import { requirementOf } from './requirement.js';

const granular = (sandboxApproval: boolean, rules: boolean): ApprovalPolicy => ({
  granular: { sandboxApproval, rules },
});
const facts = { verdict: undefined, policy: 'on-request', escalated: false, isRestricted: true } as const;

describe('what a command needs before it runs', () => {
  it('without a rule is a matter of the policy', () => {
    const skip = { kind: 'skip', bypassSandbox: false };
    expect(requirementOf({ ...facts, policy: 'never' })).toEqual(skip);
    expect(requirementOf({ ...facts, policy: 'untrusted' })).toEqual({ kind: 'ask' });
    expect(requirementOf(facts)).toEqual(skip);
    expect(requirementOf({ ...facts, escalated: true })).toEqual({ kind: 'ask' });
    expect(requirementOf({ ...facts, escalated: true, isRestricted: false })).toEqual(skip);
    expect(requirementOf({ ...facts, escalated: true, policy: granular(true, false) })).toEqual({
      kind: 'ask',
    });
  });

  it('is what a rule says, which also lets it out of the sandbox', () => {
    const allow = { decision: 'allow' } as const;
    expect(requirementOf({ ...facts, verdict: allow })).toEqual({ kind: 'skip', bypassSandbox: true });
    const forbidden = { decision: 'forbidden', justification: 'not here' } as const;
    expect(requirementOf({ ...facts, verdict: forbidden })).toEqual({
      kind: 'forbidden',
      reason: 'not here',
    });
    const prompt = { decision: 'prompt' } as const;
    expect(requirementOf({ ...facts, verdict: prompt })).toEqual({ kind: 'ask' });
    for (const policy of ['never', granular(true, false)] as const) {
      expect(requirementOf({ ...facts, policy, verdict: prompt }).kind).toBe('forbidden');
    }
  });

  it('after a denial: a question within the call under two policies only', () => {
    const policies = [
      'never',
      'on-request',
      'untrusted',
      granular(true, true),
      granular(false, true),
    ] as const;
    expect(policies.map(retriesDenials)).toEqual([false, false, true, true, false]);
    expect(policies.map(asksForSandbox)).toEqual([false, true, true, true, false]);
  });
});
