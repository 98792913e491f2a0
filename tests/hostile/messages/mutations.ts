// Turns a well-formed message into one that is nearly well-formed, or into text that is no message at all.
import type { Random } from '../support/seeded-random.js';

const INTRUDERS: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  2 ** 60,
  '',
  'x'.repeat(5000),
  [],
  [[[[[]]]]],
  {},
  { toString: 1 },
  { __proto__: 1 },
];

/** One to three places of the value are replaced, removed, added to, or wrapped. */
export function mutated(random: Random, value: unknown): unknown {
  let result = structuredClone(value);
  for (let left = 1 + random.below(3); left > 0; left--) result = mutateOnce(random, result);
  return result;
}

function mutateOnce(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(INTRUDERS);
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    const items: unknown[] = [...value];
    items.splice(at, random.below(2), mutateOnce(random, items[at]));
    return items;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return { surprise: random.pick(INTRUDERS) };
  const [key, part] = random.pick(entries);
  const rest = Object.fromEntries(entries.filter(([other]) => other !== key));
  const how = random.next();
  if (how < 0.25) return rest;
  if (how < 0.4) return { ...rest, [key.toUpperCase()]: part };
  if (how < 0.7) return { ...rest, [key]: random.pick(INTRUDERS) };
  return { ...rest, [key]: mutateOnce(random, part) };
}

/** Text that a JSON parser must refuse, or that is JSON and no message. */
export function broken(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return random.pick([
    () => text.slice(0, at),
    () => `${text.slice(0, at)}${String.fromCharCode(random.below(0x80))}${text.slice(at)}`,
    () => `${'['.repeat(200)}${']'.repeat(200)}`,
    () => text.replace(/"id":/, '"id":1,"id":'),
    () =>
      text.replace(
        /"id":\d+/,
        `"id":${random.pick(['1e400', '9223372036854775808', '{}', 'null', '1.5', '-0'])}`,
      ),
    () => `[${text}]`,
    () => text.replace(/"/, '"\\ud800'),
    () => `\uFEFF${text}`,
    () => '',
    () => 'null',
  ])();
}
