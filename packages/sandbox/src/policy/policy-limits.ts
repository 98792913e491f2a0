// How much one policy may name. Every level of every path is looked at on the disk, on the thread that serves all
// clients, and each entry can become a mount, of which bubblewrap takes about 1,450 to 2,900.
import { SandboxError } from '../errors.js';

/** Paths and globs, with one for each workspace root where an entry speaks of all of them. */
export const maxPolicyPaths = 2000;
/** What the kernel takes. */
const maxPathLength = 4096;
/** Some ten times as deep as anything that people make; each level is opened by itself. */
const maxLevels = 256;
const maxTotalLevels = 16 * 1024;
const maxTotalLength = 512 * 1024;

/** Counts the paths of one policy, and throws for the one too many. */
export class PolicyLimits {
  #paths = 0;
  #levels = 0;
  #length = 0;

  add(path: string): void {
    this.#paths += 1;
    this.#length += path.length;
    if (path.length > maxPathLength)
      throw tooMuch(`a path of the policy is longer than ${maxPathLength} characters`);
    let levels = 0;
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) levels += 1;
    if (levels > maxLevels) throw tooMuch(`a path of the policy has more than ${maxLevels} levels`);
    this.#levels += levels;
    if (this.#paths > maxPolicyPaths) {
      throw tooMuch(
        `the policy names more than ${maxPolicyPaths} paths, and bubblewrap cannot mount so many`,
      );
    }
    if (this.#levels > maxTotalLevels) {
      throw tooMuch(`the paths of the policy have more than ${maxTotalLevels} levels in all`);
    }
    if (this.#length > maxTotalLength) {
      throw tooMuch(`the paths of the policy have more than ${maxTotalLength} characters in all`);
    }
  }
}

function tooMuch(what: string): SandboxError {
  return new SandboxError('SANDBOX_POLICY_INVALID', `${what}; name directories instead of what is in them`);
}
