// Reads untrusted JSON member by member. Unknown members are refused at the end: in a policy an ignored
// member is a restriction that is not enforced.
import { parsePathInput } from '@codex/exec-protocol';
import { SandboxError } from '../errors.js';
import { maxPolicyPaths } from './policy-limits.js';

export class WireReader {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #asked = new Set<string>();

  constructor(value: unknown, where: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refuse(where, 'is not an object');
    this.#value = value as Readonly<Record<string, unknown>>;
    this.#where = where;
  }

  /** Undefined when absent or null. */
  optional(name: string): unknown {
    this.#asked.add(name);
    const value = Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
    return value === null ? undefined : value;
  }

  required(name: string): unknown {
    const value = this.optional(name);
    if (value === undefined) throw refuse(this.#where, `has no \`${name}\``);
    return value;
  }

  child(name: string): WireReader {
    return new WireReader(this.required(name), `${this.#where}.${name}`);
  }

  string(name: string): string {
    const value = this.required(name);
    if (typeof value !== 'string') throw refuse(`${this.#where}.${name}`, 'is not a string');
    return value;
  }

  optionalString(name: string): string | undefined {
    return this.optional(name) === undefined ? undefined : this.string(name);
  }

  oneOf<const Choice extends string>(name: string, choices: readonly Choice[], otherwise?: Choice): Choice {
    if (otherwise !== undefined && this.optional(name) === undefined) return otherwise;
    const value = this.string(name);
    const found = choices.find((choice) => choice === value);
    if (found === undefined) {
      throw refuse(`${this.#where}.${name}`, `is ${JSON.stringify(value)}, not one of ${choices.join(', ')}`);
    }
    return found;
  }

  flag(name: string): boolean {
    const value = this.optional(name) ?? false;
    if (typeof value !== 'boolean') throw refuse(`${this.#where}.${name}`, 'is not a boolean');
    return value;
  }

  list(name: string): readonly unknown[] {
    const value = this.optional(name) ?? [];
    if (!Array.isArray(value)) throw refuse(`${this.#where}.${name}`, 'is not a list');
    return value;
  }

  path(name: string): string {
    return readPath(this.string(name), `${this.#where}.${name}`);
  }

  paths(name: string): string[] {
    const list = this.list(name);
    if (list.length > maxPolicyPaths)
      throw refuse(`${this.#where}.${name}`, `are more than ${maxPolicyPaths}`);
    return list.map((item, index) => {
      const where = `${this.#where}.${name}[${index}]`;
      if (typeof item !== 'string') throw refuse(where, 'is not a string');
      return readPath(item, where);
    });
  }

  /** Call it last. */
  refuseOthers(): void {
    const unknown = Object.keys(this.#value).find((name) => !this.#asked.has(name));
    if (unknown !== undefined)
      throw refuse(this.#where, `has \`${unknown}\`, which this version does not know`);
  }
}

export function refuse(where: string, problem: string): SandboxError {
  return new SandboxError('SANDBOX_POLICY_INVALID', `${where} ${problem}`);
}

function readPath(text: string, where: string): string {
  try {
    return parsePathInput(text).path;
  } catch (error) {
    throw new SandboxError('SANDBOX_POLICY_INVALID', `${where}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
