// The payload of pings and pongs: whether the far end itself has to answer, and which question this is. A pong repeats
// what it answers, so an answer that lay in a buffer for hours is not taken for one of today.
//
//   0  one for a probe   1..4  the number of the question (u32)

import { Buffer } from 'node:buffer';

const QUESTION_BYTES = 5;

export interface Question {
  readonly isProbe: boolean;
  readonly number: number;
}

/** With room in front for a header. */
export function encodeQuestion({ isProbe: asksTheEnd, number }: Question, headerBytes: number): Buffer {
  const frame = Buffer.alloc(headerBytes + QUESTION_BYTES);
  frame.writeUInt8(asksTheEnd ? 1 : 0, headerBytes);
  frame.writeUInt32BE(number >>> 0, headerBytes + 1);
  return frame;
}

/** Undefined for what is no question. */
export function decodeQuestion(payload: Buffer): Question | undefined {
  if (payload.length !== QUESTION_BYTES) return undefined;
  return { isProbe: isProbe(payload), number: payload.readUInt32BE(1) };
}

export function isProbe(payload: Buffer): boolean {
  return payload.length === QUESTION_BYTES && payload[0] === 1;
}
