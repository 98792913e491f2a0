// Time as a dependency, so that expiry and grace periods are tested without sleeping.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  now(): number;
  /** Runs `action` once after `delayMs`. A pending timer never keeps the process alive. */
  schedule(delayMs: number, action: () => void): Timer;
}
