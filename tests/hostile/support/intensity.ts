// A short part of every attack runs with `npm test`; all of it with `npm run test:hostile`.

const isFull = process.env['HOSTILE'] === 'full';

export function rounds(counts: { readonly short: number; readonly full: number }): number {
  return isFull ? counts.full : counts.short;
}

/** Time for a test of that many rounds. */
export const patienceMs = isFull ? 900_000 : 90_000;
