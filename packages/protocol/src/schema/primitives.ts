// Building blocks shared by every schema slice. Two rules of the wire live here: an optional member may also
// be null, and unknown members are ignored (so no `additionalProperties: false` outside sandbox permissions).
import {
  type Static,
  type TObject,
  type TOptional,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';

/** Integers beyond 2^53 lose their value in JavaScript, so they are refused rather than rounded. */
const MAX_SAFE = 9_007_199_254_740_991;

export const U64 = Type.Integer({ minimum: 0, maximum: MAX_SAFE });
/** A bound or a time: what lies beyond 2^53 means "as much as there is", so rounding it changes nothing. */
export const Bound64 = Type.Integer({ minimum: 0, maximum: 2 ** 64 });
export const I64 = Type.Integer({ minimum: -MAX_SAFE, maximum: MAX_SAFE });
export const U32 = Type.Integer({ minimum: 0, maximum: 4_294_967_295 });
export const U16 = Type.Integer({ minimum: 0, maximum: 65_535 });
export const I32 = Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 });

/** RFC 4648 section 4, padded. The alphabet is checked while decoding, not by the schema. */
export const Base64 = Type.String({ contentEncoding: 'base64' });

/** A `file:` URI or an absolute path; `parsePathInput` decides which. */
export const PathText = Type.String({ description: 'file: URI or absolute path' });

/** Not `Type.Record`: its `^(.*)$` pattern would leave keys that hold a line break unchecked. */
export const StringMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Type.String(),
});

/** A result or params object without members. */
export const Empty = Type.Object({});

export function stringEnum<const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });
}

/** Accepts null besides the schema, without an `anyOf` where a type list says the same. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  if (typeof type !== 'string' || 'oneOf' in schema || '$id' in schema) {
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });
  }
  const widened = values === undefined ? {} : { enum: [...values, null] };
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...widened });
}

/** The usual optional member: missing and null mean the same. */
export function optional<T extends TSchema>(schema: T): TOptional<TUnsafe<Static<T> | null>> {
  return Type.Optional(nullable(schema));
}

/** A named schema: it gets its own validator, type and entry in the published bundle. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, $id: name };
}

export function refTo<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  const { $id } = schema;
  if ($id === undefined) throw new TypeError('only a named schema can be referred to');
  return Type.Unsafe<Static<T>>({ $ref: $id });
}

/** A union told apart by the value of one member. */
export function tagged<const Variants extends readonly TObject[]>(
  tag: string,
  variants: Variants,
): TUnsafe<Static<Variants[number]>> {
  return Type.Unsafe<Static<Variants[number]>>({
    type: 'object',
    discriminator: { propertyName: tag },
    required: [tag],
    oneOf: [...variants],
  });
}

/** An object that refuses members it does not know. Only for policy: elsewhere unknown members are ignored. */
export function closedObject<Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}
