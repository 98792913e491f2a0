// How many tokens a text has. Without a tokenizer four bytes count as one, which is what Codex tells its models.

export type Tokenizer = (text: string) => number;

export const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** Whole tokens, rounded up. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
