// How long a check waits for something that must happen. Long enough for a busy machine by default; the self-test of the
// suite, whose servers never do what is waited for, has less of it.
let patienceMs = 15_000;

export function patience(): number {
  return patienceMs;
}

export function setPatience(milliseconds: number): void {
  patienceMs = milliseconds;
}
