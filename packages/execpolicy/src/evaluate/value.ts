// The values of the language. Integers are of any size, text is a sequence of characters (not of UTF-16 units).

import { mistake, unsupported } from './fault.js';
import type { Machine } from './machine.js';

export type Value =
  | null
  | boolean
  | bigint
  | string
  | ListValue
  | TupleValue
  | DictValue
  | RangeValue
  | FunctionValue;

/** What is being looped over cannot be changed. */
abstract class Lockable {
  #locks = 0;

  lock(): void {
    this.#locks++;
  }

  unlock(): void {
    this.#locks--;
  }

  beforeChange(): void {
    if (this.#locks > 0) throw mistake('a list or dict cannot be changed while it is looped over');
  }
}

export class ListValue extends Lockable {
  readonly items: Value[];

  constructor(items: Value[]) {
    super();
    this.items = items;
  }
}

export class TupleValue {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

export class DictValue extends Lockable {
  readonly #entries = new Map<string, readonly [key: Value, value: Value]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(hashKey(key))?.[1];
  }

  has(key: Value): boolean {
    return this.#entries.has(hashKey(key));
  }

  /** An entry that is there keeps its place and its key. */
  set(key: Value, value: Value): void {
    this.beforeChange();
    const hash = hashKey(key);
    this.#entries.set(hash, [this.#entries.get(hash)?.[0] ?? key, value]);
  }

  delete(key: Value): void {
    this.beforeChange();
    this.#entries.delete(hashKey(key));
  }

  clear(): void {
    this.beforeChange();
    this.#entries.clear();
  }

  entries(): (readonly [key: Value, value: Value])[] {
    return [...this.#entries.values()];
  }
}

export class RangeValue {
  readonly start: number;
  readonly stop: number;
  readonly step: number;

  constructor(start: number, stop: number, step: number) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  get length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }

  at(index: number): bigint {
    return BigInt(this.start + index * this.step);
  }
}

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

export class FunctionValue {
  readonly name: string;
  readonly invoke: (args: Arguments, machine: Machine) => Value;

  constructor(name: string, invoke: (args: Arguments, machine: Machine) => Value) {
    this.name = name;
    this.invoke = invoke;
  }
}

/** As an error speaks of it. */
export function described(value: Value): string {
  const name = typeName(value);
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'string') return 'string';
  if (value instanceof ListValue) return 'list';
  if (value instanceof TupleValue) return 'tuple';
  if (value instanceof DictValue) return 'dict';
  return value instanceof RangeValue ? 'range' : 'function';
}

export function isTruthy(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === '') return false;
  if (value instanceof ListValue || value instanceof TupleValue) return value.items.length > 0;
  if (value instanceof DictValue) return value.size > 0;
  return value instanceof RangeValue ? value.length > 0 : true;
}

/** Equal keys have equal text, and different ones different text: the lengths inside make it unambiguous. */
function hashKey(value: Value, depth = 0): string {
  if (value === null) return 'n';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (value instanceof TupleValue && depth < MOST_KEY_DEPTH) {
    return `(${value.items.length}:${value.items.map((item) => hashKey(item, depth + 1)).join('')})`;
  }
  if (value instanceof FunctionValue) throw unsupported('a function as a key of a dict');
  throw mistake(`${described(value)} cannot be a key of a dict`);
}

const MOST_KEY_DEPTH = 20;
