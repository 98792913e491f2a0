// Prints JSON Schema as plain TypeScript, so that the published types need no schema library.

interface Schema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const union = (parts: readonly string[]) => [...new Set(parts)].join(' | ');

/** The type of a named schema's own body; references inside stay references. */
export function printBody(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return union(alternatives.map((part) => printBody(part, indent)));
  if (schema.type === undefined) return 'unknown';
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return union(types.map((type) => printType(type, schema, indent)));
}

function printType(type: string, schema: Schema, indent: string): string {
  if (type === 'array') {
    const item = printBody(schema.items ?? {}, indent);
    return `readonly ${/[|{]|^readonly /.test(item) ? `(${item})` : item}[]`;
  }
  if (type === 'object') return printObject(schema, indent);
  return SCALARS[type] ?? 'unknown';
}

function printObject(schema: Schema, indent: string): string {
  const { additionalProperties: rest } = schema;
  if (typeof rest === 'object') return `Readonly<Record<string, ${printBody(rest, indent)}>>`;
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return 'Readonly<Record<string, never>>';
  const required = new Set(schema.required);
  const inner = `${indent}  `;
  const lines = properties.map(
    ([name, member]) =>
      `${inner}readonly ${name}${required.has(name) ? '' : '?'}: ${printBody(member, inner)};`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

export function printNamed(name: string, schema: Schema): string {
  const body = printBody(schema);
  const isInterface = schema.type === 'object' && schema.oneOf === undefined && body.startsWith('{');
  return isInterface ? `export interface ${name} ${body}\n` : `export type ${name} = ${body};\n`;
}
