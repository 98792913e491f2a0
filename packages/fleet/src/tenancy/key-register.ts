// What was minted in an account, one line for each key, so that an operator finds the key of a machine, and a key its account: a
// revocation in another account would shut nobody out. It holds no secret.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Role } from './roles.js';

export interface MintedKey {
  readonly key: string;
  readonly role: Role;
  readonly name: string;
  readonly environments: readonly string[];
  /** Of an executor: the machine, or `*`. */
  readonly machine?: string;
  /** Epoch seconds. */
  readonly mintedAt: number;
  readonly expiresAt?: number;
}

export class KeyRegister {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  add(minted: MintedKey): void {
    // The last line may have been cut off.
    appendFileSync(this.#path, `\n${JSON.stringify(minted)}\n`, { mode: 0o600 });
  }

  list(): MintedKey[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8').split('\n').flatMap(readLine);
  }
}

/** A line that was cut off, as a full disk does, is none. */
function readLine(line: string): MintedKey[] {
  try {
    const minted: unknown = JSON.parse(line);
    return typeof Reflect.get(Object(minted), 'key') === 'string' ? [minted as MintedKey] : [];
  } catch {
    return [];
  }
}
