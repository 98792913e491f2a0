// `"{} {name!r}".format(…)`.

import type { Budget } from '../budget.js';
import { mistake, unsupported } from '../fault.js';
import type { Machine } from '../machine.js';
import { toRepr, toText } from '../text-form.js';
import type { Arguments, Value } from '../value.js';

const FIELD = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*|\d{0,9})(?:!([rs]))?\}|[{}]/g;

export function formatText(format: string, args: Arguments, { budget }: Machine): Value {
  budget.scan(format.length);
  const fields = new Fields(args);
  const text = format.replace(FIELD, (whole: string, field: string | undefined, conversion?: string) => {
    if (whole === '{{' || whole === '}}') return whole.charAt(0);
    if (field === undefined) throw unsupported('a field of this kind in a format, or a single brace,');
    return written(fields.value(field), conversion, budget);
  });
  budget.allocate(text.length);
  return text;
}

function written(value: Value, conversion: string | undefined, budget: Budget): string {
  const text = conversion === 'r' ? toRepr(value, budget) : toText(value, budget);
  budget.allocate(text.length);
  return text;
}

/** Places are counted, or they are numbered, never both. */
class Fields {
  readonly #args: Arguments;
  #counted = 0;
  #isNumbered = false;

  constructor(args: Arguments) {
    this.#args = args;
  }

  value(field: string): Value {
    const { positional, named } = this.#args;
    const value = /^[A-Za-z_]/.test(field) ? named.get(field) : positional[this.#placeOf(field)];
    if (value === undefined) throw mistake('the format has a field without a value');
    return value;
  }

  #placeOf(field: string): number {
    if (field === '') this.#counted++;
    else this.#isNumbered = true;
    if (this.#counted > 0 && this.#isNumbered) throw mistake('fields are either numbered or not');
    return field === '' ? this.#counted - 1 : Number(field);
  }
}
