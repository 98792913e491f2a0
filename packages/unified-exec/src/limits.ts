// The numbers of a profile. Those of Codex are the defaults, but for one; another profile changes some of them.

export interface Limits {
  readonly minYieldMs: number;
  readonly maxYieldMs: number;
  /** Of an empty `write_stdin`. */
  readonly minPollMs: number;
  readonly maxPollMs: number;
  readonly execYieldMs: number;
  readonly writeYieldMs: number;
  readonly maxOutputTokens: number;
  readonly maxProcesses: number;
  /** The sessions used last, which are never ended to make room. */
  readonly protectRecent: number;
  /** A denial that comes this soon is retried within its call. */
  readonly earlyExitMs: number;
  /** Between writing to a terminal and looking at it. */
  readonly settleMs: number;
  /** After the exit, how long to wait for the rest of the output. */
  readonly drainMs: number;
  readonly maxDeltas: number;
  readonly maxDeltaBytes: number;
}

const CODEX_LIMITS: Limits = Object.freeze({
  minYieldMs: 250,
  maxYieldMs: 30_000,
  minPollMs: 5_000,
  maxPollMs: 300_000,
  execYieldMs: 10_000,
  writeYieldMs: 250,
  maxOutputTokens: 10_000,
  maxProcesses: 64,
  protectRecent: 8,
  earlyExitMs: 150,
  settleMs: 100,
  drainMs: 50,
  maxDeltas: 10_000,
  maxDeltaBytes: 8_192,
});

/**
 * The end of the output follows the exit in no time, unless the machine is busy or a child holds it open: with more
 * patience the note about a child is true.
 */
const OWN_LIMITS: Limits = Object.freeze({ ...CODEX_LIMITS, drainMs: 250 });

export interface Profile extends Limits {
  /** The text of results is that of Codex: no notes, cut characters as replacements, its idea of wall time. */
  readonly isCodex: boolean;
}

export function profileOf(profile: 'codex' | Partial<Limits> | undefined): Profile {
  if (profile === 'codex') return { ...CODEX_LIMITS, isCodex: true };
  return { ...OWN_LIMITS, ...profile, isCodex: false };
}

export function execYield(ms: number | undefined, limits: Limits): number {
  return between(ms ?? limits.execYieldMs, limits.minYieldMs, limits.maxYieldMs);
}

export function writeYield(ms: number | undefined, isPoll: boolean, limits: Limits): number {
  const asked = Math.max(ms ?? limits.writeYieldMs, limits.minYieldMs);
  return isPoll ? between(asked, limits.minPollMs, limits.maxPollMs) : Math.min(asked, limits.maxYieldMs);
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
