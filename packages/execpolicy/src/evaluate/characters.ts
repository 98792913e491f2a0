// Text by characters. Most text has none outside the basic plane, and then its own index is the character's.

import type { Budget } from './budget.js';

export interface Characters {
  readonly length: number;
  /** The text from one character to another. */
  slice(start: number, stop: number): string;
  at(index: number): string;
  /** From an offset in UTF-16 units to a character, and back. */
  indexOf(offset: number): number;
  offsetOf(index: number): number;
}

export function charactersOf(text: string, budget: Budget): Characters {
  budget.scan(text.length);
  if (!/[\ud800-\udfff]/.test(text)) {
    return {
      length: text.length,
      slice: (start, stop) => text.slice(start, stop),
      at: (index) => text[index] ?? '',
      indexOf: (offset) => offset,
      offsetOf: (index) => index,
    };
  }
  budget.allocate(text.length * 8);
  budget.step(text.length);
  const characters = [...text];
  return {
    length: characters.length,
    slice: (start, stop) => characters.slice(start, stop).join(''),
    at: (index) => characters[index] ?? '',
    indexOf: (offset) => [...text.slice(0, offset)].length,
    offsetOf: (index) => characters.slice(0, index).join('').length,
  };
}
