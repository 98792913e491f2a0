// Counts that run small in the usual test run and in full with SOAK=1.

export const isSoak = process.env['SOAK'] === '1';

export function times(counts: { readonly usual: number; readonly soak: number }): number {
  return isSoak ? counts.soak : counts.usual;
}
