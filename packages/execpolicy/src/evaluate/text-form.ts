// `str` and `repr`: values as text.

import { LIMITS } from '../limits.js';
import type { Budget } from './budget.js';
import { Fault, unsupported } from './fault.js';
import { DictValue, type FunctionValue, ListValue, RangeValue, TupleValue, type Value } from './value.js';

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};
/** Beyond Latin-1 only letters and digits stand for themselves. */
const ESCAPED = /["\\]|[^ -~\p{Alphabetic}\p{N}]|[\x80-\xff]/gu;

export function toText(value: Value, budget: Budget): string {
  return typeof value === 'string' ? value : toRepr(value, budget);
}

export function toRepr(value: Value, budget: Budget): string {
  const text = write(value, budget, 0);
  budget.allocate(text.length);
  return text;
}

function write(value: Value, budget: Budget, depth: number): string {
  budget.step();
  if (depth > LIMITS.valueDepth) throw new Fault('RULES_LIMIT', 'values are nested too deep');
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return quote(value, budget);
  const list = (items: readonly Value[]) => items.map((item) => write(item, budget, depth + 1)).join(', ');
  if (value instanceof ListValue) return account(`[${list(value.items)}]`, budget);
  if (value instanceof TupleValue) {
    return account(value.items.length === 1 ? `(${list(value.items)},)` : `(${list(value.items)})`, budget);
  }
  if (value instanceof DictValue) {
    const entries = value.entries().map(([key, inner]) => {
      return `${write(key, budget, depth + 1)}: ${write(inner, budget, depth + 1)}`;
    });
    return account(`{${entries.join(', ')}}`, budget);
  }
  if (value instanceof RangeValue) return writeRange(value);
  return refuse(value);
}

/** Nested values are copied once per level: every copy counts. */
function account(text: string, budget: Budget): string {
  budget.allocate(text.length);
  return text;
}

function writeRange({ start, stop, step }: RangeValue): string {
  if (step !== 1) return `range(${start}, ${stop}, ${step})`;
  return start === 0 ? `range(${stop})` : `range(${start}, ${stop})`;
}

function quote(text: string, budget: Budget): string {
  budget.scan(text.length);
  budget.allocate(text.length);
  return `"${text.replace(ESCAPED, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

function refuse(value: FunctionValue): never {
  throw unsupported(`the function \`${value.name}\` as text`);
}
