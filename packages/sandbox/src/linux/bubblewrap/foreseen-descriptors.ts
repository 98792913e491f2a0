// Which descriptors the sandbox of a policy needed last time. A wrapper has to have them when it is started, and its options
// tell it later what to do with them; so the next one of the same policy is started while its sandbox is still planned. The plan is made
// in full all the same: where it needs anything else by then, another path or another file at the same path, what was started is not used.
import type { InheritedFd } from '@codex/launcher';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';

const maxPolicies = 64;
/** To name a policy takes time for each rule; large ones are mostly written for one command. */
const maxRules = 64;

export class ForeseenDescriptors {
  readonly #lists = new Map<string, readonly InheritedFd[]>();

  /** Undefined for a policy that has not been seen. */
  of(policy: ResolvedPolicy): readonly InheritedFd[] | undefined {
    const key = keyOf(policy);
    return key === undefined ? undefined : this.#lists.get(key);
  }

  remember(policy: ResolvedPolicy, list: readonly InheritedFd[]): void {
    const key = keyOf(policy);
    if (key === undefined) return;
    this.#lists.delete(key);
    this.#lists.set(key, [...list]);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > maxPolicies && oldest !== undefined) this.#lists.delete(oldest);
  }
}

/** Policies of the same name may still differ: it says what to expect and nothing more. */
function keyOf({ rules, denyGlobs, network, unixSockets }: ResolvedPolicy): string | undefined {
  // A search for files may take seconds, and a wrapper that waits is a launch under way, of which there are only so many at once.
  if (rules.length > maxRules || denyGlobs.length > 0) return undefined;
  return [network, unixSockets, ...rules.map(({ path, access }) => `${access} ${path}`)].join('\0');
}

export function areSame(one: readonly InheritedFd[], other: readonly InheritedFd[]): boolean {
  return one.length === other.length && one.every((grant, index) => isSame(grant, other[index]));
}

function isSame(one: InheritedFd, other: InheritedFd | undefined): boolean {
  if (other === undefined || one.as !== other.as) return false;
  if ('report' in one) return 'report' in other;
  if ('settled' in one) return 'settled' in other;
  if ('data' in one) return 'data' in other && Buffer.compare(one.data, other.data) === 0;
  if (!('path' in one) || !('path' in other) || one.path !== other.path) return false;
  return one.identity?.device === other.identity?.device && one.identity?.inode === other.identity?.inode;
}
