// `split` and `rsplit`.

import { unsupported } from '../fault.js';
import { smallInteger } from '../integer.js';
import type { Machine } from '../machine.js';
import { textArgument } from '../native-function.js';
import { ListValue, type Value } from '../value.js';

const SPACE = /\p{White_Space}+/u;
const SPACES = /\p{White_Space}+/gu;

export function split(text: string, values: readonly Value[], machine: Machine): Value {
  const { separator, most } = prepare(text, values, machine);
  if (separator === null) return splitAtSpace(text, most, machine);
  const pieces = text.split(separator);
  machine.budget.step(pieces.length);
  if (pieces.length <= most + 1) return new ListValue(pieces);
  return new ListValue([...pieces.slice(0, most), pieces.slice(most).join(separator)]);
}

export function rightSplit(text: string, values: readonly Value[], machine: Machine): Value {
  const { separator, most } = prepare(text, values, machine);
  if (separator === null) return rightSplitAtSpace(text, most, machine);
  const pieces = text.split(separator);
  machine.budget.step(pieces.length);
  if (pieces.length <= most + 1) return new ListValue(pieces);
  const cut = pieces.length - most;
  return new ListValue([pieces.slice(0, cut).join(separator), ...pieces.slice(cut)]);
}

function prepare(
  text: string,
  [separator = null, most = null]: readonly Value[],
  { budget }: Machine,
): { readonly separator: string | null; readonly most: number } {
  const wanted = separator === null ? null : textArgument(separator, 'the separator');
  if (wanted === '') throw unsupported('splitting at the empty text');
  const limit = most === null ? -1 : smallInteger(most, 'the number of splits');
  budget.search(text.length, wanted?.length ?? 1);
  budget.allocate(text.length * 2);
  return { separator: wanted, most: limit < 0 ? Number.POSITIVE_INFINITY : limit };
}

function splitAtSpace(text: string, most: number, { budget }: Machine): Value {
  const pieces: string[] = [];
  let rest = text.replace(new RegExp(`^${SPACE.source}`, 'u'), '');
  const all = rest.split(SPACES);
  budget.step(all.length);
  if (!Number.isFinite(most)) return new ListValue(all.filter((piece) => piece !== ''));
  for (let index = 0; index < most; index++) {
    const space = SPACE.exec(rest);
    if (space === null) break;
    budget.scan(rest.length);
    pieces.push(rest.slice(0, space.index));
    rest = rest.slice(space.index + space[0].length);
  }
  return new ListValue(rest === '' ? pieces : [...pieces, rest]);
}

function rightSplitAtSpace(text: string, most: number, { budget }: Machine): Value {
  if (!Number.isFinite(most)) return new ListValue(text.split(SPACES).filter((piece) => piece !== ''));
  const spaces = [...text.matchAll(SPACES)];
  budget.step(spaces.length);
  const pieces: string[] = [];
  let end = text.length;
  for (let space = spaces.pop(); space !== undefined; space = spaces.pop()) {
    const after = space.index + space[0].length;
    if (after === end) {
      end = space.index;
      continue;
    }
    if (pieces.length === most) break;
    pieces.unshift(text.slice(after, end));
    end = space.index;
  }
  const rest = text.slice(0, end);
  return new ListValue(rest === '' ? pieces : [rest, ...pieces]);
}
