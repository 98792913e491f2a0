// Looks up the rule that decides about a path, among located rules.
import { parentPath } from '../../policy/path-text.js';
import type { Access } from '../../policy/policy-model.js';

/** What the rules say about a path: the nearest one above it decides, nothing means `deny`. */
export function effectiveAccess(access: ReadonlyMap<string, Access>, path: string): Access {
  for (let at = path; ; at = parentPath(at)) {
    const found = access.get(at);
    if (found !== undefined) return found;
    if (at === '/') return 'deny';
  }
}
