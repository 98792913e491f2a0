// The kernel sets the time of a file that is appended to before its length. Seen in between, such a file has another time
// and its old length, as one that was changed in place has; a little later only the latter still looks like that.

const PAUSES_MS: readonly number[] = [1, 2, 4, 8, 16, 32];

interface Looks<Seen> {
  look(): Promise<Seen>;
  /** Whether this may be a file between its time and its length. */
  mayBeBetween(seen: Seen): boolean;
  pause(delayMs: number): Promise<unknown>;
}

/** The first look that is none in between, otherwise the last one. */
export async function lookPastAppend<Seen>({ look, mayBeBetween, pause }: Looks<Seen>): Promise<Seen> {
  for (const delayMs of PAUSES_MS) {
    const seen = await look();
    if (!mayBeBetween(seen)) return seen;
    await pause(delayMs);
  }
  return look();
}
