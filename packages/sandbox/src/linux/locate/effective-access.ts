// The rules of a policy by real path, and which of them decides about a path. Answers are remembered until a rule changes:
// a plan asks about every directory above every rule, and each walk up is as long as the path is deep.
import { parentPath } from '../../policy/path-text.js';
import type { Access } from '../../policy/policy-model.js';

export class AccessMap extends Map<string, Access> {
  #effective = new Map<string, Access>();

  override set(path: string, access: Access): this {
    this.#effective = new Map();
    return super.set(path, access);
  }

  override delete(path: string): boolean {
    this.#effective = new Map();
    return super.delete(path);
  }

  /** What the rules say about a path: the nearest one above it decides, nothing means `deny`. */
  effective(path: string): Access {
    const passed: string[] = [];
    let found: Access | undefined;
    for (let at = path; ; at = parentPath(at)) {
      found = this.#effective.get(at) ?? this.get(at);
      if (found !== undefined || at === '/') break;
      passed.push(at);
    }
    for (const at of passed) this.#effective.set(at, found ?? 'deny');
    return found ?? 'deny';
  }
}
