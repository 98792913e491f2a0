// What a model reads as the result of a call: a few facts, one per line, then the output.

export interface ToolFacts {
  readonly chunkId: string;
  readonly wallMs: number;
  readonly exitCode?: number | undefined;
  readonly sessionId?: number | undefined;
  readonly originalTokens: number;
  /** Sentences for the model; one line each. */
  readonly notes: readonly string[];
}

export function toolHeader(facts: ToolFacts): string {
  const { chunkId, wallMs, exitCode, sessionId, originalTokens, notes } = facts;
  return [
    `Chunk ID: ${chunkId}`,
    `Wall time: ${(wallMs / 1000).toFixed(4)} seconds`,
    ...(exitCode === undefined ? [] : [`Process exited with code ${exitCode}`]),
    ...(sessionId === undefined ? [] : [`Process running with session ID ${sessionId}`]),
    `Original token count: ${originalTokens}`,
    ...notes.map((note) => `Note: ${note}`),
    'Output:',
  ].join('\n');
}

/** Six hexadecimal digits. */
export function newChunkId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(3));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
