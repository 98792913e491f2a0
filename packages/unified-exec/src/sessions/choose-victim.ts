// Which session ends to make room for another: the least recently used that has exited, else the least recently used;
// never one of the last few, and never one that a call is busy with.

export interface Candidate {
  readonly usedAs: number;
  readonly hasEnded: boolean;
  readonly isBusy: boolean;
}

export function chooseVictim<T extends Candidate>(
  sessions: readonly T[],
  protectRecent: number,
): T | undefined {
  const byUse = [...sessions].sort((one, other) => other.usedAs - one.usedAs);
  const candidates = byUse.slice(protectRecent).reverse();
  const ended = candidates.filter(({ hasEnded }) => hasEnded);
  // One that has exited is about to go by itself: rather one too many than a live one ended.
  if (ended.length > 0) return ended.find(({ isBusy }) => !isBusy);
  return candidates.find(({ isBusy }) => !isBusy);
}
