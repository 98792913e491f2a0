// A validator's first finding → the sentence upstream's decoder would have used. Runs on failure only.
import { describeValue, unknownVariant } from './serde-text.js';
import type { ValidationError } from './validation-error.js';

/** What the generator knows about members by name, for the "expected …" half of a sentence. */
export interface Expectations {
  /** Member → type name of the object it holds. */
  readonly structs: ReadonlyMap<string, string>;
  /** Member → integer type, where it is not u64. */
  readonly integers: ReadonlyMap<string, string>;
  /** Member → tags of the tagged union it holds. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
}

interface Failure {
  readonly error: ValidationError;
  /** The offending value and the name of the nearest member that holds it. */
  readonly value: unknown;
  readonly member: string;
}

function locate(root: unknown, error: ValidationError): Failure {
  let value = root;
  let member = '';
  for (const part of error.instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Array.isArray(value)) member = key;
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined;
  }
  return { error, value, member };
}

function expectedType(type: string, member: string, expectations: Expectations): string {
  switch (type) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'a boolean';
    case 'array':
      return 'a sequence';
    case 'integer':
      return expectations.integers.get(member) ?? 'u64';
    default: {
      const struct = expectations.structs.get(member);
      return struct === undefined ? 'a map' : `struct ${struct}`;
    }
  }
}

function wrongType({ error, value, member }: Failure, expectations: Expectations): string {
  const { type } = error.params;
  const wanted = Array.isArray(type) ? String(type[0]) : String(type);
  if (wanted === 'integer' && typeof value === 'number') return 'invalid number';
  return `invalid type: ${describeValue(value)}, expected ${expectedType(wanted, member, expectations)}`;
}

function wrongTag({ error, member }: Failure, expectations: Expectations): string {
  const { error: reason, tag, tagValue } = error.params;
  if (reason === 'tag' && tagValue === undefined) return `missing field \`${String(tag)}\``;
  if (reason === 'tag') return `invalid type: ${describeValue(tagValue)}, expected a string`;
  return unknownVariant(tagValue, expectations.tags.get(member) ?? []);
}

function outOfRange({ value, member }: Failure, expectations: Expectations): string {
  const type = expectations.integers.get(member);
  if (type?.includes(' ') !== true) return 'invalid number';
  return `invalid value: integer \`${String(value)}\`, expected ${type}`;
}

const isString = (value: unknown): value is string => typeof value === 'string';

export function explainFailure(
  root: unknown,
  errors: readonly ValidationError[] | null | undefined,
  expectations: Expectations,
): string {
  const [first] = errors ?? [];
  if (first === undefined) return 'invalid params';
  const failure = locate(root, first);
  const { params, keyword } = first;
  switch (keyword) {
    case 'required':
      return `missing field \`${String(params['missingProperty'])}\``;
    case 'additionalProperties':
      return `unknown field \`${String(params['additionalProperty'])}\``;
    case 'type':
      return wrongType(failure, expectations);
    case 'enum':
      return unknownVariant(failure.value, (params['allowedValues'] as unknown[]).filter(isString));
    case 'const':
      return unknownVariant(failure.value, [String(params['allowedValue'])]);
    case 'discriminator':
      return wrongTag(failure, expectations);
    default:
      return outOfRange(failure, expectations);
  }
}
