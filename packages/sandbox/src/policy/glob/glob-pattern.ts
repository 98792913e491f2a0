// Deny globs: `*` and `?` stay inside one path component, `**` crosses them, `[…]` and `{a,b}` work, an unclosed
// bracket is literal. Patterns come from clients and names from commands, so the matcher walks and never searches back
// further than the last star: a component costs at most its length times that of the pattern, whatever they are.
import { SandboxError } from '../../errors.js';
import { pathComponents } from '../path-text.js';
import { expandBraces } from './glob-braces.js';
import { anyComponent, type ComponentTest, compileComponent } from './glob-component.js';

const special = /[*?[\]{}]/;
const maxLength = 4096;
const maxWildcards = 64;
const maxAlternatives = 128;
/** Each one inside a component doubles the work. */
const maxInnerDoubleStars = 6;
/** Of all patterns of a policy together, in characters. */
const maxTotalLength = 128 * 1024;

export function hasGlobCharacters(text: string): boolean {
  return special.test(text);
}

/** The directory above the first component that has a wildcard. */
export function staticGlobPrefix(pattern: string): string {
  const parts = pattern.split('/');
  const firstWild = parts.findIndex((part) => special.test(part));
  const fixed = firstWild === -1 ? parts : parts.slice(0, firstWild);
  return fixed.join('/') || '/';
}

/** Throws for patterns that would cost too much. */
export function checkGlobs(patterns: readonly string[]): void {
  let total = 0;
  for (const pattern of patterns) {
    total += pattern.length;
    const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
    if (pattern.length > maxLength) {
      throw invalid(`the deny glob ${shown} is longer than ${maxLength} characters`);
    }
    const wildcards = pattern.match(/\*+|[?[]/g)?.length ?? 0;
    if (wildcards > maxWildcards) {
      throw invalid(`the deny glob ${shown} has ${wildcards} wildcards, more than ${maxWildcards}`);
    }
    const inner =
      pattern
        .split('/')
        .filter((part) => part !== '**')
        .join('/')
        .match(/\*\*+/g)?.length ?? 0;
    if (inner > maxInnerDoubleStars) {
      throw invalid(
        `the deny glob ${shown} has more than ${maxInnerDoubleStars} double stars inside of names`,
      );
    }
    if (expandBraces(pattern, maxAlternatives) === undefined) {
      throw invalid(`the deny glob ${shown} stands for more than ${maxAlternatives} patterns`);
    }
  }
  if (total > maxTotalLength) {
    throw invalid(`the deny globs have ${total} characters in all, more than ${maxTotalLength}`);
  }
}

/** `**`: any number of components, also none. */
const anyNumber = Symbol('**');

/** One pattern without braces, matched component by component. A position says how much of it has been matched. */
export class GlobAlternative {
  readonly #parts: readonly (ComponentTest | typeof anyNumber)[];

  constructor(parts: readonly (ComponentTest | typeof anyNumber)[]) {
    this.#parts = parts;
  }

  start(): readonly number[] {
    return this.#withSkipped([0]);
  }

  /** The positions after one more component; none means that nothing below can match. */
  next(positions: readonly number[], name: string): readonly number[] {
    const reached: number[] = [];
    for (const at of positions) {
      const part = this.#parts[at];
      if (part === undefined) continue;
      if (part === anyNumber) reached.push(at);
      else if (part(name)) reached.push(at + 1);
    }
    return reached.length === 0 ? reached : this.#withSkipped(reached);
  }

  isComplete(positions: readonly number[]): boolean {
    return positions.includes(this.#parts.length);
  }

  #withSkipped(positions: readonly number[]): readonly number[] {
    const all = new Set(positions);
    for (const at of all) if (this.#parts[at] === anyNumber) all.add(at + 1);
    return [...all];
  }
}

/** A pattern that makes no sense, such as one with a range that runs backwards, stands for all below its fixed part. */
export function compileGlob(pattern: string): readonly GlobAlternative[] {
  const compiled: GlobAlternative[] = [];
  for (const alternative of expandBraces(pattern, maxAlternatives) ?? []) {
    const parts = pathComponents(alternative);
    // A plain path also matches what is below it.
    const forms = hasGlobCharacters(pattern) ? [parts] : [parts, [...parts, '**']];
    for (const form of forms.flatMap(spreadInnerStars)) {
      const tests = form.map((part) => (part === '**' ? anyNumber : compileComponent(part)));
      // At the end it means at least one: what is in the directory, and not the directory.
      if (tests.at(-1) === anyNumber) tests.push(anyComponent);
      const known = tests.filter((test) => test !== undefined);
      if (known.length < tests.length) return everythingBelow(staticGlobPrefix(pattern));
      compiled.push(new GlobAlternative(known));
    }
  }
  return compiled.length === 0 ? everythingBelow(staticGlobPrefix(pattern)) : compiled;
}

function everythingBelow(directory: string): readonly GlobAlternative[] {
  const parts = pathComponents(directory).map(
    (part): ComponentTest =>
      (name) =>
        name === part,
  );
  return [new GlobAlternative([...parts, anyNumber, anyComponent])];
}

/** Whether the pattern denies the path itself, or a directory above it, or neither. */
export function globDenial(pattern: string): (path: string) => 'itself' | 'above' | undefined {
  const alternatives = compileGlob(pattern);
  return (path) => {
    const names = pathComponents(path);
    let found: 'above' | undefined;
    for (const alternative of alternatives) {
      let positions = alternative.start();
      for (const [index, name] of names.entries()) {
        positions = alternative.next(positions, name);
        if (positions.length === 0) break;
        if (!alternative.isComplete(positions)) continue;
        if (index === names.length - 1) return 'itself';
        found = 'above';
      }
    }
    return found;
  };
}

/** Two stars inside a component cross components all the same: `a**b` is `a*b` or `a*`, any number, `*b`. */
function spreadInnerStars(parts: readonly string[]): string[][] {
  for (const [index, part] of parts.entries()) {
    const at = part === '**' ? -1 : findDoubleStar(part);
    if (at === -1) continue;
    const [before, after] = [parts.slice(0, index), parts.slice(index + 1)];
    const [left, right] = [part.slice(0, at), part.slice(at).replace(/^\*+/, '')];
    const across = [...(left === '' ? [] : [`${left}*`]), '**', ...(right === '' ? [] : [`*${right}`])];
    return spreadInnerStars(after).flatMap((rest) =>
      [[`${left}*${right}`], across].flatMap((middle) =>
        spreadInnerStars(middle).map((spread) => [...before, ...spread, ...rest]),
      ),
    );
  }
  return [[...parts]];
}

/** Where two stars stand that are neither quoted nor in brackets. */
function findDoubleStar(part: string): number {
  for (let at = 0; at < part.length; at += 1) {
    if (part.startsWith('**', at)) return at;
    if (part[at] === '\\') at += 1;
    else if (part[at] === '[' && part.includes(']', at + 2)) at = part.indexOf(']', at + 2);
  }
  return -1;
}

function invalid(message: string): SandboxError {
  return new SandboxError('SANDBOX_POLICY_INVALID', message);
}
