// The part of a tool result below `Output:`. What does not fit is cut once, here, so that a caller who limits whole
// results to 1.2 times the policy never cuts a second time.

import { BYTES_PER_TOKEN, byteLength, type Tokenizer, tokensOfBytes } from './token-count.js';
import { type Budget, type OutputPolicy, truncateMiddle } from './truncate-middle.js';

export interface OutputText {
  /** What was kept; a marker line stands for what was not. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

export interface BodyLimits {
  /** What the model asked for. */
  readonly maxTokens: number;
  /** What the application allows. */
  readonly policy: OutputPolicy;
  readonly tokenizer?: Tokenizer | undefined;
  /** Of the lines above the body. */
  readonly headerBytes: number;
}

/** What a caller may keep of a whole tool result, in relation to the policy. */
const WHOLE_RESULT = 1.2;

export function outputBody(output: OutputText, limits: BodyLimits): string {
  const { asked, allowed } = budgets(output, limits);
  const budget = asked.bytes < allowed.bytes ? asked : allowed;
  const room = Math.max(0, Math.ceil(allowed.bytes * WHOLE_RESULT) - (limits.headerBytes + 1));
  let { bytes } = budget;
  for (;;) {
    const body = cutBody(output, { ...budget, bytes }, limits.tokenizer);
    const excess = byteLength(body) - room;
    if (excess <= 0 || bytes === 0) return body;
    bytes = Math.max(0, bytes - excess);
  }
}

export function originalTokens(
  { text, totalBytes, omittedBytes }: OutputText,
  tokenizer?: Tokenizer,
): number {
  if (tokenizer === undefined) return tokensOfBytes(totalBytes);
  const counted = tokenizer(text);
  if (omittedBytes === 0) return counted;
  return Math.ceil((counted * totalBytes) / Math.max(1, totalBytes - omittedBytes));
}

function budgets(
  output: OutputText,
  { maxTokens, policy, tokenizer }: BodyLimits,
): { readonly asked: Budget; readonly allowed: Budget } {
  const perToken = bytesPerToken(output, tokenizer);
  const inTokens = (tokens: number): Budget => ({
    bytes: Math.floor(tokens * perToken),
    unit: 'tokens',
    bytesPerToken: perToken,
  });
  const asked = inTokens(maxTokens);
  const allowed: Budget =
    'tokens' in policy
      ? inTokens(policy.tokens)
      : { bytes: policy.bytes, unit: 'chars', bytesPerToken: perToken };
  return { asked, allowed };
}

function bytesPerToken({ text }: OutputText, tokenizer: Tokenizer | undefined): number {
  if (tokenizer === undefined || text === '') return BYTES_PER_TOKEN;
  return byteLength(text) / Math.max(1, tokenizer(text));
}

function cutBody(output: OutputText, budget: Budget, tokenizer: Tokenizer | undefined): string {
  const { text, omittedBytes } = output;
  const isOver = byteLength(text) > budget.bytes;
  if (!isOver) return text;
  const cut = truncateMiddle(text, budget);
  const warning = `Warning: truncated output (original token count: ${originalTokens(output, tokenizer)})`;
  if (omittedBytes === 0) return `${warning}\nTotal output lines: ${lineCount(text)}\n\n${cut}`;
  const marker = `... ${omittedBytes} bytes omitted ...`;
  const kept = cut.includes(marker) ? '' : `${marker}\n`;
  return `${warning}\n${kept}\n${cut}`;
}

/** A last line without an end counts. */
function lineCount(text: string): number {
  if (text === '') return 0;
  const ends = text.split('\n').length - 1;
  return text.endsWith('\n') ? ends : ends + 1;
}
