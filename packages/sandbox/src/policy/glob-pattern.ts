// Deny globs: `*` and `?` stay inside one path component, `**` crosses them, `[…]` and `{a,b}` work, an unclosed
// bracket is literal. The same translation serves the matcher, the disk scan and the seatbelt profile.
import { isWithin } from './path-text.js';

const special = /[*?[\]{}]/;

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

/** A regular expression source that matches exactly the paths of the pattern; a plain path also matches what is below it. */
export function globToRegexSource(pattern: string): string {
  let out = '';
  let braces = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '*') {
      if (pattern.startsWith('**/', at)) {
        out += '(?:.*/)?';
        at += 2;
      } else if (pattern.startsWith('**', at)) {
        out += '.*';
        at += 1;
      } else out += '[^/]*';
    } else if (char === '?') out += '[^/]';
    else if (char === '[') {
      const parsed = readClass(pattern, at);
      out += parsed.source;
      at = parsed.end;
    } else if (char === '{' && pattern.indexOf('}', at) !== -1) {
      braces += 1;
      out += '(?:';
    } else if (char === '}' && braces > 0) {
      braces -= 1;
      out += ')';
    } else if (char === ',' && braces > 0) out += '|';
    else if (char === '\\' && at + 1 < pattern.length) {
      at += 1;
      out += escapeRegex(pattern.charAt(at));
    } else out += escapeRegex(char);
  }
  const source = `${out}${')'.repeat(braces)}`;
  return hasGlobCharacters(pattern) ? `^${source}$` : `^${source}(?:/.*)?$`;
}

/** True for a path that the pattern denies. A pattern that cannot be compiled denies everything below its fixed part. */
export function globMatcher(pattern: string): (path: string) => boolean {
  try {
    const compiled = new RegExp(globToRegexSource(pattern), 's');
    return (path) => compiled.test(path);
  } catch {
    const prefix = staticGlobPrefix(pattern);
    return (path) => isWithin(path, prefix);
  }
}

function readClass(pattern: string, start: number): { source: string; end: number } {
  const close = pattern.indexOf(']', start + 2);
  if (close === -1) return { source: '\\[', end: start };
  let body = pattern.slice(start + 1, close);
  const negated = body.startsWith('!') || body.startsWith('^');
  if (negated) body = body.slice(1);
  return { source: `[${negated ? '^/' : ''}${body.replace(/[\\\]^[]/g, '\\$&')}]`, end: close };
}

function escapeRegex(char: string): string {
  return char.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
}
