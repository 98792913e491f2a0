// Deny globs: `*` and `?` stay inside one path component, `**` crosses them, `[…]` and `{a,b}` work, an unclosed
// bracket is literal. Patterns come from clients and names from commands, so the matcher walks and never searches back
// further than the last star: a component costs at most its length times that of the pattern, whatever they are.
import { SandboxError } from '../../errors.js';
import { pathComponents } from '../path-text.js';
import { GlobAlternative } from './glob-alternative.js';
import { expandBraces } from './glob-braces.js';

const special = /[*?[\]{}]/;
const maxLength = 4096;
const maxWildcards = 64;
const maxAlternatives = 128;
/** Each one inside a component can end at any later one, so the work grows with their square. */
const maxInnerDoubleStars = 6;
/** Of all patterns of a policy together, with every choice of their braces written out. */
const maxTotalAlternatives = 1024;
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
  let length = 0;
  let count = 0;
  for (const pattern of patterns) {
    const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
    if (pattern.length > maxLength) {
      throw invalid(`the deny glob ${shown} is longer than ${maxLength} characters`);
    }
    const wildcards = pattern.match(/\*+|[?[{]/g)?.length ?? 0;
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
    const alternatives = expandBraces(pattern, maxAlternatives);
    if (alternatives === undefined) {
      throw invalid(`the deny glob ${shown} stands for more than ${maxAlternatives} patterns`);
    }
    count += alternatives.length;
    if (count > maxTotalAlternatives) {
      throw invalid(
        `with ${shown} the deny globs stand for ${count} patterns, more than the ${maxTotalAlternatives} of one policy`,
      );
    }
    length += alternatives.reduce((sum, alternative) => sum + alternative.length, 0);
    if (length > maxTotalLength) {
      throw invalid(
        `with ${shown} the deny globs have ${length} characters in all, more than the ${maxTotalLength} of one policy`,
      );
    }
  }
}

/** A pattern that makes no sense, such as one with a range that runs backwards, stands for all below its fixed part. */
export function compileGlob(pattern: string): readonly GlobAlternative[] {
  const compiled: GlobAlternative[] = [];
  for (const alternative of expandBraces(pattern, maxAlternatives) ?? []) {
    const parts = pathComponents(alternative);
    // A plain path also matches what is below it.
    const forms = hasGlobCharacters(pattern) ? [parts] : [parts, [...parts, '**']];
    for (const form of forms) {
      const made = GlobAlternative.compile(form);
      if (made === undefined) return [everythingBelow(pattern)];
      compiled.push(made);
    }
  }
  return compiled.length === 0 ? [everythingBelow(pattern)] : compiled;
}

function everythingBelow(pattern: string): GlobAlternative {
  return GlobAlternative.below(pathComponents(staticGlobPrefix(pattern)));
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

function invalid(message: string): SandboxError {
  return new SandboxError('SANDBOX_POLICY_INVALID', message);
}
