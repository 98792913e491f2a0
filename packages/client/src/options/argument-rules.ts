// Checks the arguments of calls that are not options, at run time: without it a number that is written is an empty write,
// and a call without a name waits for ever.

import { isPlainRecord, nearestName, show } from '@codex/exec-protocol/options';
import { invalidArgument } from '../exec-server-error.js';

export function checkCommand(command: unknown): void {
  if (typeof command === 'string') return;
  if (Array.isArray(command)) {
    checkWords(command);
    return;
  }
  if (isPlainRecord(command) && typeof command['shell'] === 'string') return;
  const forms = "a command is a string, a list of words or { shell: '…' }";
  throw invalidArgument('command', `${forms}, not ${show(command)}`);
}

function checkWords(words: readonly unknown[]): void {
  if (words.length === 0 || words[0] === '') {
    throw invalidArgument('command', 'a command needs a program to run');
  }
  const odd = words.findIndex((word) => typeof word !== 'string');
  if (odd === -1) return;
  throw invalidArgument(
    'command',
    `a command is a list of words: every word of it is a string, not ${show(words[odd])}`,
  );
}

/** A piece of input, or of a file. */
export function checkPiece(piece: unknown, call: string): void {
  if (isPiece(piece)) return;
  throw invalidArgument('data', `${call}: what is written is a string or bytes, not ${show(piece)}`);
}

/** Everything that goes into a file. The pieces of an iterable are checked as they come. */
export function checkContents(data: unknown, call: string): void {
  if (!isInput(data)) {
    throw invalidArgument('data', `${call}: what is written ${INPUT_FORMS}, not ${show(data)}`);
  }
}

export const INPUT_FORMS = 'is a string, bytes, or an iterable of them';

export function isInput(data: unknown): boolean {
  if (isPiece(data)) return true;
  return isPlainObject(data) && (Symbol.asyncIterator in data || Symbol.iterator in data);
}

/** By its shape: other runtimes and older servers have more signals, or fewer. */
export function checkSignalName(name: unknown): void {
  if (typeof name === 'string' && /^(interrupt|SIG[A-Z\d]+)$/.test(name)) return;
  const upper = typeof name === 'string' ? name.toUpperCase() : '';
  const meant = /^[A-Z]+\d*$/.test(upper) ? `SIG${upper.replace(/^SIG/, '')}` : undefined;
  const hint = meant === undefined ? `, not ${show(name)}` : `; did you mean '${meant}'?`;
  throw invalidArgument('name', `a signal is 'interrupt' or a name like 'SIGTERM'${hint}`);
}

export function checkKeyNames(names: readonly unknown[], known: readonly string[]): void {
  const odd = names.findIndex((name) => typeof name !== 'string' || !known.includes(name));
  if (odd === -1) return;
  const name = names[odd];
  const meant = typeof name === 'string' ? nearestName(name, known) : undefined;
  const hint = meant === undefined ? `: there are ${known.join(', ')}` : `; did you mean '${meant}'?`;
  throw invalidArgument('names', `stdin.keys knows no key ${show(name)}${hint}`);
}

export function checkMethod(method: unknown): void {
  if (typeof method === 'string' && method !== '') return;
  throw invalidArgument('method', `call: the name of a method is a string, not ${show(method)}`);
}

export function checkProcessRef(ref: unknown): void {
  if (typeof ref === 'string' && ref !== '') return;
  if (isPlainRecord(ref) && typeof ref['processId'] === 'string') return;
  throw invalidArgument('ref', `a process is named by its id, or by what detach() gave, not ${show(ref)}`);
}

function isPiece(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
