// The sessions of one tool by their numbers, at most so many.

import { ToolFailure } from '../tool-error.js';
import { chooseVictim } from './choose-victim.js';
import type { Session } from './session.js';

export interface StoreLimits {
  readonly maxProcesses: number;
  readonly protectRecent: number;
}

const FIRST_ID = 1_000;
const ID_COUNT = 99_000;
/** Calls that wait for an approval have a number each; with most of them taken, a free one would be long in finding. */
const MAX_CALLS = 10_000;
/** Numbers of sessions that were ended to make room, so that a model that asks is told. */
const MAX_REMEMBERED = 256;

export class SessionStore {
  readonly #limits: StoreLimits;
  readonly #sessions = new Map<number, Session>();
  readonly #reserved = new Set<number>();
  readonly #evicted = new Set<number>();
  #uses = 0;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** A number that no session has, reserved until it is released. */
  reserve(): number {
    if (this.#reserved.size >= MAX_CALLS) {
      throw new ToolFailure('tool.tooManyCalls', `exec_command failed: ${MAX_CALLS} calls are under way`, {
        hint: 'Wait for the answers to some of them.',
      });
    }
    for (;;) {
      const id = FIRST_ID + Math.floor(Math.random() * ID_COUNT);
      if (this.#reserved.has(id)) continue;
      this.#reserved.add(id);
      this.#evicted.delete(id);
      return id;
    }
  }

  release(id: number): void {
    this.#reserved.delete(id);
    this.#sessions.delete(id);
  }

  add(session: Session): void {
    this.use(session);
    this.#sessions.set(session.sessionId, session);
  }

  /**
   * Returns the sessions that had to go, already forgotten. A command whose first call still waits for it is no session
   * that a model knows of: it does not count, and makes no room.
   */
  makeRoom(): Session[] {
    const evicted: Session[] = [];
    for (;;) {
      const kept = [...this.#sessions.values()].filter(({ isInFirstCall }) => !isInFirstCall);
      if (kept.length <= this.#limits.maxProcesses) return evicted;
      const victim = chooseVictim(kept, this.#limits.protectRecent);
      if (victim === undefined) return evicted;
      this.#evict(victim);
      evicted.push(victim);
    }
  }

  get(id: number): Session | undefined {
    return this.#sessions.get(id);
  }

  use(session: Session): void {
    session.usedAs = ++this.#uses;
    session.lastUsedAt = new Date();
  }

  wasEvicted(id: number): boolean {
    return this.#evicted.has(id);
  }

  /** By number. */
  all(): Session[] {
    return [...this.#sessions.values()].sort((one, other) => one.sessionId - other.sessionId);
  }

  #evict(session: Session): void {
    this.release(session.sessionId);
    this.#evicted.add(session.sessionId);
    const oldest = this.#evicted.values().next().value;
    if (this.#evicted.size > MAX_REMEMBERED && oldest !== undefined) this.#evicted.delete(oldest);
  }
}
