// A schema in words short enough for a table.

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
  readonly contentEncoding?: string;
  readonly description?: string;
}

/** Without null: a member that may be null is marked optional, because null and absent are the same. */
export function schemaText(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${schema.$ref}](#${schema.$ref.toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) {
    return alternatives(
      schema.enum.filter((value) => value !== null).map((value) => `\`${JSON.stringify(value)}\``),
    );
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return alternatives(choices.filter((choice) => choice.type !== 'null').map(schemaText));
  const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])).filter(
    (type) => type !== 'null',
  );
  return alternatives(types.map((type) => typeText(type, schema))) || 'anything';
}

function typeText(type: string, schema: Schema): string {
  if (type === 'array') return `list of ${schemaText(schema.items ?? {})}`;
  if (type === 'object') return objectText(schema);
  if (schema.contentEncoding === 'base64') return 'base64';
  if (schema.description?.includes('file: URI')) return 'path';
  return type;
}

function objectText({ properties, additionalProperties, required = [] }: Schema): string {
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, part]) => `\`${name}\`${required.includes(name) ? '' : '?'} ${schemaText(part)}`,
    );
    return `{ ${members.join('; ')} }`;
  }
  return typeof additionalProperties === 'object' ? `map of ${schemaText(additionalProperties)}` : 'object';
}

const alternatives = (parts: readonly string[]): string => [...new Set(parts)].join(' or ');

/** One row per member; alternatives one after the other. */
export function memberRows(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return `One of: ${choices.map(schemaText).join(', ')}.\n`;
  const { properties = {}, required = [] } = schema;
  if (Object.keys(properties).length === 0) return `${schemaText(schema)}\n`;
  const rows = Object.entries(properties).map(
    ([name, part]) => `| \`${name}\` | ${schemaText(part)} | ${required.includes(name) ? 'yes' : ''} |`,
  );
  return `| member | type | required |\n|---|---|---|\n${rows.join('\n')}\n`;
}
