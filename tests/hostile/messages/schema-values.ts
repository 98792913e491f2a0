// Values that a JSON Schema of the protocol allows, chosen at random and preferring the edges of what is allowed. Paths
// stay in the scratch directory and commands are harmless: what is tried is the server, not the machine.
import type { Random } from '../support/seeded-random.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly contentEncoding?: string;
  readonly description?: string;
}

const COMMANDS = [
  ['/bin/true'],
  ['/bin/sh', '-c', 'echo out; echo err >&2; exit 3'],
  ['/bin/sh', '-c', 'head -c 100000 /dev/zero'],
  ['cat'],
  ['sleep', '0.2'],
  ['/no/such/program'],
  [''],
  [],
];

const ODD_STRINGS = [
  '',
  ' ',
  'a\u0000b',
  '\u{1f600}',
  'é'.repeat(300),
  '__proto__',
  'constructor',
  '-1',
  '../..',
];

export class SchemaValues {
  readonly #random: Random;
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #scratch: string;

  constructor(random: Random, schemas: Readonly<Record<string, Schema>>, scratch: string) {
    this.#random = random;
    this.#schemas = schemas;
    this.#scratch = scratch;
  }

  value(schema: Schema, name = '', depth = 0): unknown {
    if (schema.$ref !== undefined)
      return this.value(this.#schemas[schema.$ref.replace(/^.*\//, '')] ?? {}, name, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#random.pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.value(this.#random.pick(choices), name, depth + 1);
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['null']);
    return this.#ofType(this.#random.pick(types), schema, name, depth);
  }

  #ofType(type: string, schema: Schema, name: string, depth: number): unknown {
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        if (name === 'argv') return this.#random.pick(COMMANDS);
        return Array.from({ length: depth > 12 ? 0 : this.#random.below(3) }, () =>
          this.value(schema.items ?? {}, name, depth + 1),
        );
      case 'string':
        return this.#string(schema, name);
      case 'integer':
      case 'number':
        return this.#number(schema, name);
      case 'boolean':
        return this.#random.chance(0.5);
      default:
        return null;
    }
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const entries = Object.entries(schema.properties ?? {}).filter(
      ([key]) => (schema.required ?? []).includes(key) || (depth < 12 && this.#random.chance(0.35)),
    );
    const object = Object.fromEntries(entries.map(([key, part]) => [key, this.value(part, key, depth + 1)]));
    if (typeof schema.additionalProperties === 'object' && this.#random.chance(0.5)) {
      object[this.#random.pick(['PATH', 'LANG', 'X', ''])] = this.value(
        schema.additionalProperties,
        '',
        depth + 1,
      );
    }
    return object;
  }

  #string({ description, contentEncoding }: Schema, name: string): string {
    if (contentEncoding === 'base64' || /base64|chunk/i.test(name))
      return this.#random.pick(['', 'aGk=', 'AAAA', 'a']);
    if (/path|cwd|uri|dir|root|home/i.test(`${name} ${description ?? ''}`)) return this.#path();
    if (/id$/i.test(name)) return this.#random.pick(['p1', 'p2', 'p3', 'p4', '', 'ü']);
    if (/url/i.test(name)) return this.#random.pick(['http://127.0.0.1:1/', 'http://[::1]:1/x', 'not a url']);
    return this.#random.pick(ODD_STRINGS);
  }

  #path(): string {
    const name = this.#random.pick([
      '',
      '/file.txt',
      '/folder',
      '/folder/nested.txt',
      '/missing',
      '/new/deep',
      '/a\u0000b',
    ]);
    const path = `${this.#scratch}${name}`;
    return this.#random.chance(0.5) ? path : `file://${path}`;
  }

  #number({ minimum, maximum }: Schema, name: string): number {
    if (/ms$/i.test(name)) return this.#random.pick([0, 1, 20]);
    const edges = [0, 1, 2, 255, 65_535, 2 ** 31, 2 ** 53 - 1];
    return Math.min(Math.max(this.#random.pick(edges), minimum ?? 0), maximum ?? 2 ** 53 - 1);
  }
}
