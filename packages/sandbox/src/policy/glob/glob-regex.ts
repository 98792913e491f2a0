// Deny globs as regular expressions, for the seatbelt profile alone: macOS compiles them itself. On Linux they are
// matched by glob-pattern.ts, because such an expression can take forever over a hostile name.
import { hasGlobCharacters } from './glob-pattern.js';

/**
 * A regular expression source that matches exactly the paths of the pattern; a plain path also matches what is below it.
 */
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
