// The limits of a rule file. A file that reaches one is refused: there is no answer from half of it.

export const LIMITS = {
  fileBytes: 1024 * 1024,
  /** Expressions and statements that are evaluated, elements that are visited, blocks of text that are searched. */
  steps: 1_000_000,
  /** Text and elements that are made, counted when they are made and never given back. */
  memoryBytes: 16 * 1024 * 1024,
  /** Functions that call each other. It is that of Codex, where the file itself is the fiftieth. */
  calls: 49,
  /** Brackets, blocks and signs inside each other. */
  nesting: 200,
  /** Expressions and statements inside each other over all active calls: the stack of this program is finite. */
  evaluationDepth: 600,
  /** Lists in lists, where values are compared or written out. */
  valueDepth: 200,
  integerBits: 16_384,
} as const;
