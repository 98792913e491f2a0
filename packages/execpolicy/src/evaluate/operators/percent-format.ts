// `"%s %d" % values`.

import type { Budget } from '../budget.js';
import { mistake, unsupported } from '../fault.js';
import { toRepr, toText } from '../text-form.js';
import { described, TupleValue, type Value } from '../value.js';

const RADIX: Readonly<Record<string, number>> = { d: 10, x: 16, X: 16, o: 8 };

export function formatPercent(format: string, values: Value, budget: Budget): string {
  budget.scan(format.length);
  const given = values instanceof TupleValue ? values.items : [values];
  let used = 0;
  const text = format.replace(/%([\s\S]?)/gu, (_, conversion: string) => {
    if (conversion === '%') return '%';
    const value = given[used++];
    if (conversion === '') throw mistake('the format ends with a single `%`');
    if (value === undefined) throw mistake('there are fewer values than the format has places');
    const written = convert(conversion, value, budget);
    budget.allocate(written.length);
    return written;
  });
  if (used < given.length) throw mistake('there are more values than the format has places');
  budget.allocate(text.length);
  return text;
}

function convert(conversion: string, value: Value, budget: Budget): string {
  if (conversion === 's') return toText(value, budget);
  if (conversion === 'r') return toRepr(value, budget);
  const radix = Object.hasOwn(RADIX, conversion) ? RADIX[conversion] : undefined;
  if (radix === undefined) throw unsupported(`\`%${conversion}\``);
  if (typeof value !== 'bigint') throw mistake(`\`%${conversion}\` does not apply to ${described(value)}`);
  const digits = value.toString(radix);
  return conversion === 'X' ? digits.toUpperCase() : digits;
}
