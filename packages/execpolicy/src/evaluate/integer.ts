// Integers of any size up to a bound, with the division of Python: the remainder has the sign of the divisor.

import { LIMITS } from '../limits.js';
import { Fault, mistake } from './fault.js';
import { described, type Value } from './value.js';

const MOST = 1n << BigInt(LIMITS.integerBits);

export function checkSize(value: bigint): bigint {
  if (value >= MOST || value <= -MOST) throw new Fault('RULES_LIMIT', 'the number is too large');
  return value;
}

export function floorDivide(left: bigint, right: bigint): bigint {
  if (right === 0n) throw mistake('division by zero');
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

export function floorModulo(left: bigint, right: bigint): bigint {
  if (right === 0n) throw mistake('division by zero');
  const remainder = left % right;
  return remainder !== 0n && remainder < 0n !== right < 0n ? remainder + right : remainder;
}

/** An index, count or bound: a number that fits where Codex wants 32 bits. */
export function smallInteger(value: Value, what: string): number {
  if (typeof value !== 'bigint') throw mistake(`${what} has to be an int, not ${described(value)}`);
  if (value > 0x7fffffffn || value < -0x80000000n) throw mistake(`${what} is out of range`);
  return Number(value);
}
