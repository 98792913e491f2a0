// Random numbers that can be repeated: `HOSTILE_SEED=…` plays a failed run again.

export interface Random {
  readonly seed: number;
  /** 0 <= value < 1 */
  next(): number;
  /** 0 <= value < limit */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** splitmix32: small, and every seed gives a full period. */
export function seededRandom(seed = chosenSeed()): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed,
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (items.length === 0) throw new Error('nothing to pick from');
      return item as T;
    },
  };
}

function chosenSeed(): number {
  const given = process.env['HOSTILE_SEED'];
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}
