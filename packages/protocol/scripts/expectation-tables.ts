// What error sentences need to know about members by name: which object type, integer type or tags they hold.

type Node = Readonly<Record<string, unknown>>;

export interface ExpectationTables {
  readonly structNames: Map<string, string>;
  readonly integerTypes: Map<string, string>;
  readonly tagNames: Map<string, readonly string[]>;
}

const INTEGER_NAMES: Readonly<Record<string, string>> = {
  '0:65535': 'u16',
  '0:4294967295': 'u32',
  '-2147483648:2147483647': 'i32',
  '-9007199254740991:9007199254740991': 'i64',
  '1:9007199254740991': 'a nonzero usize',
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function tagsOf(schema: Node): string[] | undefined {
  const { discriminator, oneOf } = schema;
  if (!isNode(discriminator) || !Array.isArray(oneOf)) return undefined;
  const tag = String(discriminator['propertyName']);
  return oneOf.flatMap((variant: Node) => {
    const properties = variant['properties'];
    const member = isNode(properties) ? properties[tag] : undefined;
    return isNode(member) ? [String(member['const'])] : [];
  });
}

/** Follows a reference, also through the `anyOf` that makes it nullable and through an array. */
function target(schema: Node, schemas: ReadonlyMap<string, Node>): { name?: string; schema: Node } {
  const { $ref, anyOf, items } = schema;
  if (typeof $ref === 'string') return { name: $ref, schema: schemas.get($ref) ?? {} };
  if (Array.isArray(anyOf) && isNode(anyOf[0])) return target(anyOf[0], schemas);
  if (isNode(items)) return target(items, schemas);
  return { schema };
}

export function expectationTables(schemas: ReadonlyMap<string, Node>): ExpectationTables {
  const tables: ExpectationTables = { structNames: new Map(), integerTypes: new Map(), tagNames: new Map() };
  const visit = (schema: Node): void => {
    const { properties, oneOf } = schema;
    if (Array.isArray(oneOf)) oneOf.filter(isNode).forEach(visit);
    if (!isNode(properties)) return;
    for (const [member, value] of Object.entries(properties)) {
      if (!isNode(value)) continue;
      const { name, schema: found } = target(value, schemas);
      if (name !== undefined && found['type'] === 'object') tables.structNames.set(member, name);
      const tags = tagsOf(found);
      if (tags !== undefined) tables.tagNames.set(member, tags);
      const integer = INTEGER_NAMES[`${String(found['minimum'])}:${String(found['maximum'])}`];
      if (integer !== undefined) tables.integerTypes.set(member, integer);
      if (name === undefined) visit(value);
    }
  };
  for (const schema of schemas.values()) visit(schema);
  return tables;
}
