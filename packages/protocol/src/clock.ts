// Time as a dependency: deadlines, grace periods, expiry and retries run on a clock that tests can move by hand. The
// clocks of the runtime are in `@codex/exec-rpc`.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds from an arbitrary point; never goes back. */
  now(): number;
  /** Runs `action` once after `delayMs`. */
  schedule(delayMs: number, action: () => void): Timer;
}
