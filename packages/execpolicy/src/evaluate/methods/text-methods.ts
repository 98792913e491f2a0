// Methods of text. Where the answer depends on tables of Unicode that differ from host to host, only ASCII is taken.

import { collect } from '../elements.js';
import { mistake, unsupported } from '../fault.js';
import type { Machine } from '../machine.js';
import { boolArgument, textArgument } from '../native-function.js';
import { ListValue, TupleValue, type Value } from '../value.js';
import { formatText } from './format-text.js';
import { type Method, method } from './method.js';
import { count, endsWith, find, startsWith } from './search-text.js';
import { rightSplit, split } from './split-text.js';

type TextMethod = Method<string>;

export const TEXT_METHODS: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ['capitalize', ascii((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())],
  ['title', ascii(toTitle)],
  ['lower', transform((text) => text.toLowerCase())],
  ['upper', transform((text) => text.toUpperCase())],
  ['isalnum', ascii((text) => /^[0-9A-Za-z]+$/.test(text))],
  ['isalpha', ascii((text) => /^[A-Za-z]+$/.test(text))],
  ['isdigit', ascii((text) => /^[0-9]+$/.test(text))],
  ['isspace', ascii((text) => /^[\t-\r ]+$/.test(text))],
  ['islower', ascii((text) => /[a-z]/.test(text) && !/[A-Z]/.test(text))],
  ['isupper', ascii((text) => /[A-Z]/.test(text) && !/[a-z]/.test(text))],
  ['istitle', ascii((text) => /[A-Za-z]/.test(text) && text === toTitle(text))],
  ['strip', strip({ left: true, right: true })],
  ['lstrip', strip({ left: true, right: false })],
  ['rstrip', strip({ left: false, right: true })],
  ['removeprefix', method(1, 1, (text, [prefix]) => removed(text, prefix, 'start'))],
  ['removesuffix', method(1, 1, (text, [suffix]) => removed(text, suffix, 'end'))],
  ['join', method(1, 1, join)],
  ['replace', method(2, 3, replace)],
  ['partition', method(1, 1, (text, [separator], machine) => partition(text, separator, 'first', machine))],
  ['rpartition', method(1, 1, (text, [separator], machine) => partition(text, separator, 'last', machine))],
  ['split', method(0, 2, split)],
  ['rsplit', method(0, 2, rightSplit)],
  ['splitlines', method(0, 1, splitLines)],
  ['count', method(1, 3, count)],
  ['find', method(1, 3, (text, values, machine) => find(text, values, 'first', machine))],
  ['rfind', method(1, 3, (text, values, machine) => find(text, values, 'last', machine))],
  ['index', method(1, 3, (text, values, machine) => mustFind(find(text, values, 'first', machine)))],
  ['rindex', method(1, 3, (text, values, machine) => mustFind(find(text, values, 'last', machine)))],
  ['startswith', method(1, 3, startsWith)],
  ['endswith', method(1, 3, endsWith)],
  ['format', formatText],
]);

function transform(change: (text: string) => string): TextMethod {
  return method(0, 0, (text, _, { budget }) => {
    budget.scan(text.length);
    budget.allocate(text.length);
    return change(text);
  });
}

function ascii(judge: (text: string) => Value): TextMethod {
  return method(0, 0, (text, _, { budget }) => {
    budget.scan(text.length);
    budget.allocate(text.length);
    if (/[^\0-\x7f]/.test(text)) throw unsupported('this method on text that is not ASCII');
    return judge(text);
  });
}

/** A letter after anything but a letter is capital. */
function toTitle(text: string): string {
  return text.replace(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}

function strip({ left, right }: { readonly left: boolean; readonly right: boolean }): TextMethod {
  return method(0, 1, (text, [given], { budget }) => {
    budget.scan(text.length);
    const isStripped = strippable(given);
    const characters = [...text];
    budget.allocate(characters.length);
    let start = 0;
    let stop = characters.length;
    while (left && start < stop && isStripped(characters[start] ?? '')) start++;
    while (right && stop > start && isStripped(characters[stop - 1] ?? '')) stop--;
    budget.step(start + characters.length - stop);
    return characters.slice(start, stop).join('');
  });
}

function strippable(given: Value | undefined): (character: string) => boolean {
  if (given === undefined) return (character) => /^\p{White_Space}$/u.test(character);
  const characters = new Set(textArgument(given, 'the argument'));
  return (character) => characters.has(character);
}

function removed(text: string, affix: Value | undefined, side: 'start' | 'end'): string {
  const wanted = textArgument(affix, 'the argument');
  if (side === 'start') return text.startsWith(wanted) ? text.slice(wanted.length) : text;
  return wanted !== '' && text.endsWith(wanted) ? text.slice(0, -wanted.length) : text;
}

function join(separator: string, [list = null]: readonly Value[], machine: Machine): Value {
  const texts = collect(list, machine.budget).map((item) => textArgument(item, 'what is joined'));
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  machine.budget.allocate(length);
  return texts.join(separator);
}

function replace(text: string, [old, replacement, most]: readonly Value[], { budget }: Machine): Value {
  const wanted = textArgument(old, 'the first argument');
  const put = textArgument(replacement, 'the second argument');
  if (most !== undefined && (typeof most !== 'bigint' || most < 0n)) {
    throw mistake('the number of replacements has to be an int, not below zero');
  }
  if (wanted === '') throw unsupported('replacing the empty text');
  budget.search(text.length, wanted.length);
  const pieces = text.split(wanted);
  budget.step(pieces.length);
  const count = most === undefined || most > BigInt(pieces.length) ? pieces.length - 1 : Number(most);
  const changed = Math.min(count, pieces.length - 1);
  budget.allocate(text.length + changed * put.length);
  return pieces
    .map((piece, index) => (index === 0 ? piece : (index <= changed ? put : wanted) + piece))
    .join('');
}

function partition(
  text: string,
  separator: Value | undefined,
  which: 'first' | 'last',
  { budget }: Machine,
): Value {
  const wanted = textArgument(separator, 'the separator');
  if (wanted === '') throw mistake('the separator is empty');
  budget.search(text.length, wanted.length);
  budget.allocate(text.length);
  const at = which === 'first' ? text.indexOf(wanted) : text.lastIndexOf(wanted);
  if (at === -1) return new TupleValue(which === 'first' ? [text, '', ''] : ['', '', text]);
  return new TupleValue([text.slice(0, at), wanted, text.slice(at + wanted.length)]);
}

function splitLines(text: string, [keep]: readonly Value[], { budget }: Machine): Value {
  const keepEnds = keep !== undefined && boolArgument(keep, 'the argument');
  budget.scan(text.length);
  budget.allocate(text.length * 2);
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? [];
  budget.step(lines.length);
  return new ListValue(keepEnds ? [...lines] : lines.map((line) => line.replace(/\r\n$|\r$|\n$/, '')));
}

function mustFind(index: bigint): bigint {
  if (index === -1n) throw mistake('the text does not occur');
  return index;
}
