// The memory of this program for messages of remote ends that are not whole yet. A message counts with its full length from its
// first frame on, so what was begun can always be finished; where there is no room the message waits, and its channel is not read.
// Short messages are free: every channel has its window for them. Does not stop: a caller with several keys, who can let others
// wait, but not take more memory.

import { LEAST_WINDOW_BYTES } from '../window-budget.js';

/** A message may be so long without asking. */
const FREE_BYTES = LEAST_WINDOW_BYTES;
/** While others wait a message has this long to become whole. */
export const UNFINISHED_MS = 30_000;
/** One owner cannot let all others wait. */
const OWNERS_SHARE = 0.5;

export interface RoomUser {
  /** Whose messages are counted together. */
  readonly owner: string;
  /** There is room for the message that waited. */
  roomGiven(): void;
  /** Others have waited too long for the end of the message. */
  roomTaken(): void;
}

interface Claim {
  readonly bytes: number;
  readonly since: number;
}

export class MessageRoom {
  readonly #ownersMostBytes: number;
  #freeBytes: number;
  /** In the order in which they were given room, or came. */
  readonly #holding = new Map<RoomUser, Claim>();
  readonly #waiting = new Map<RoomUser, Claim>();
  readonly #ownersBytes = new Map<string, number>();

  constructor(bytes: number) {
    this.#ownersMostBytes = bytes * OWNERS_SHARE;
    this.#freeBytes = bytes;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** The user has begun a message of this length, or has none under way. False while it has to wait. */
  claim(user: RoomUser, bytes: number, now: number): boolean {
    if (bytes <= FREE_BYTES) {
      this.leave(user, now);
      return true;
    }
    const claim = this.#holding.get(user) ?? this.#waiting.get(user);
    if (claim?.bytes === bytes) return this.#holding.has(user);
    this.#drop(user);
    this.#waiting.set(user, { bytes, since: now });
    this.#give(now, user);
    return this.#holding.has(user);
  }

  /** The user waits no more, and what it held is given to those who do. */
  leave(user: RoomUser, now: number): void {
    if (!this.#drop(user)) return;
    this.#give(now);
  }

  /** Called a few times a second. */
  look(now: number): void {
    const late = [...this.#waiting].filter(([, { since }]) => now - since >= UNFINISHED_MS);
    // Who waits for the end of its own messages takes nothing from others.
    const isForAll = late.some(([user, { bytes }]) => !this.#exceedsShare(user, bytes));
    const owners = new Set(late.map(([{ owner }]) => owner));
    for (const [user, { since }] of [...this.#holding])
      if (now - since >= UNFINISHED_MS && (isForAll || owners.has(user.owner))) user.roomTaken();
  }

  /** The one that asks is told by the answer. */
  #give(now: number, asking?: RoomUser): void {
    for (const [user, { bytes }] of this.#waiting) {
      if (this.#exceedsShare(user, bytes)) continue;
      // Who came later does not pass by who waits for more.
      if (bytes > this.#freeBytes) return;
      this.#waiting.delete(user);
      this.#holding.set(user, { bytes, since: now });
      this.#count(user.owner, bytes);
      if (user !== asking) user.roomGiven();
    }
  }

  #drop(user: RoomUser): boolean {
    const held = this.#holding.get(user);
    if (held !== undefined) this.#count(user.owner, -held.bytes);
    return this.#waiting.delete(user) || this.#holding.delete(user);
  }

  #exceedsShare({ owner }: RoomUser, bytes: number): boolean {
    return (this.#ownersBytes.get(owner) ?? 0) + bytes > this.#ownersMostBytes;
  }

  #count(owner: string, bytes: number): void {
    this.#freeBytes -= bytes;
    const owned = (this.#ownersBytes.get(owner) ?? 0) + bytes;
    if (owned === 0) this.#ownersBytes.delete(owner);
    else this.#ownersBytes.set(owner, owned);
  }
}
