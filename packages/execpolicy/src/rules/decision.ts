// The decisions of rules: allow, prompt, forbidden. The strictest of several counts.

export const DECISIONS = ['allow', 'prompt', 'forbidden'] as const;
export type Decision = (typeof DECISIONS)[number];

export function parseDecision(text: string): Decision | undefined {
  return DECISIONS.find((decision) => decision === text);
}

export function strictest(decisions: readonly Decision[]): Decision | undefined {
  return DECISIONS.findLast((decision) => decisions.includes(decision));
}
