// Runs that wait for the answers of the client between two requests (revision 2026-07-28).
//
// The state that the client carries is a random handle and nothing else: it cannot be forged or changed to mean another run.
// It is good for one use, for the same tool and arguments, for ten minutes, and on this connection. A reader of
// the client's traffic can answer in its place, as in every other respect.

import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from './description.js';
import type { ToolRun } from './tool-run.js';

const KEPT_MS = 10 * 60_000;
const MAX_PARKED = 128;

interface ParkedRun {
  readonly run: ToolRun;
  readonly digest: string;
  readonly timer: NodeJS.Timeout;
}

export class ParkedRuns {
  readonly #parked = new Map<string, ParkedRun>();

  /** The state for the client. When there are too many, the one that waits longest is aborted. */
  park(run: ToolRun, digest: string): string {
    const [oldest] = this.#parked.keys();
    if (this.#parked.size >= MAX_PARKED && oldest !== undefined)
      this.#expire(oldest, 'too many open questions');
    const state = randomBytes(32).toString('base64url');
    const timer = setTimeout(() => this.#expire(state, 'nobody answered in time'), KEPT_MS);
    timer.unref();
    this.#parked.set(state, { run, digest, timer });
    return state;
  }

  /** Undefined for what was never given out, was used, has expired, or belongs to another call. */
  take(state: string, digest: string): ToolRun | undefined {
    const parked = this.#parked.get(state);
    if (parked === undefined || parked.digest !== digest) return undefined;
    clearTimeout(parked.timer);
    this.#parked.delete(state);
    return parked.run;
  }

  #expire(state: string, reason: string): void {
    const parked = this.#parked.get(state);
    if (parked === undefined) return;
    clearTimeout(parked.timer);
    this.#parked.delete(state);
    parked.run.abort(reason);
  }
}

/** The same for equal calls, in whatever order their members are written. */
export function callDigest(tool: string, args: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson([tool, args]))
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
