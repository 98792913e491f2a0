// The contents of every generated file, as a pure function of the schemas.
import {
  METHOD_DESCRIPTORS,
  type MethodDescriptor,
  type ParamsSchema,
} from '../src/schema/method-descriptors.ts';
import { namedSchemas } from '../src/schema/named-schemas.ts';
import { methodsDocument } from './document/methods-document.ts';
import { openRpcDocument } from './document/open-rpc.ts';
import { printNamed } from './type-printer.ts';
import { validatorFiles } from './validator-printer.ts';

const HEADER = '// Generated from src/schema by scripts/generate.ts. Do not edit.\n';

const BUNDLE_ID = 'exec-server:/schema/exec-server.schema.json';

function paramsType(params: ParamsSchema): string {
  if (params === 'none') return 'null';
  if (params === 'any') return 'unknown';
  return params.$id ?? 'unknown';
}

function wireTypes(): string {
  const types = [...namedSchemas()].map(([name, schema]) => printNamed(name, schema));
  const methods = Object.entries(METHOD_DESCRIPTORS).map(([method, descriptor]) => {
    const result = 'result' in descriptor ? descriptor.result.$id : 'never';
    return `  readonly '${method}': { readonly params: ${paramsType(descriptor.params)}; readonly result: ${result} };`;
  });
  return `${HEADER}${types.join('\n')}\nexport interface WireMethods {\n${methods.join('\n')}\n}\n`;
}

/** What of the descriptors is needed at run time. Without side effects, so that a bundle that does not use it drops it. */
function methodTable(): string {
  const rows = Object.entries<MethodDescriptor>(METHOD_DESCRIPTORS).map(([method, descriptor]) => {
    const { direction, family, payload, resultPayloads, capability, result, changes } = descriptor;
    const grant = direction === 'clientToServer' ? (descriptor.grant ?? 'own') : undefined;
    const kind = result === undefined ? 'notification' : 'request';
    const rowMembers = { kind, direction, family, payload, resultPayloads, capability, grant, changes };
    const members = Object.entries(rowMembers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${literal(value)}`);
    return `  '${method}': /* @__PURE__ */ Object.freeze({ ${members.join(', ')} } as const),`;
  });
  const table = `/* @__PURE__ */ Object.freeze({\n${rows.join('\n')}\n})`;
  return `${HEADER}export const METHODS = ${table};\n`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function plainSchemas(): Record<string, unknown> {
  return Object.fromEntries(namedSchemas());
}

function bundle(): string {
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: BUNDLE_ID,
    title: 'exec-server wire protocol',
    $defs: publishedSchemas(),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** As others read them: references within the document, and no ids that would change what those are relative to. */
function publishedSchemas(): Record<string, unknown> {
  const publish = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(publish);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(
      ([name, part]) => name !== '$id' || typeof part !== 'string',
    );
    return Object.fromEntries(
      members.map(([name, part]) => [name, name === '$ref' ? `#/$defs/${String(part)}` : publish(part)]),
    );
  };
  return publish(plainSchemas()) as Record<string, unknown>;
}

function schemaModule(): string {
  const body = JSON.stringify(plainSchemas(), null, 2);
  return [
    HEADER,
    `export type SchemaName =\n${[...namedSchemas().keys()].map((name) => `  | '${name}'`).join('\n')};\n\n`,
    'export type JsonSchema = Readonly<Record<string, unknown>>;\n\n',
    `export const schemas: Readonly<Record<SchemaName, JsonSchema>> = ${body};\n`,
  ].join('');
}

/** Path inside the package → text. */
export function generateFiles(): Map<string, string> {
  return new Map([
    ['src/generated/wire-types.ts', wireTypes()],
    ['src/generated/method-table.ts', methodTable()],
    ['src/generated/json-schemas.ts', schemaModule()],
    ['schema/exec-server.schema.json', bundle()],
    ['schema/exec-server.openrpc.json', openRpcDocument(publishedSchemas())],
    ['../../docs/protocol-methods.md', methodsDocument()],
    ...validatorFiles().map(([name, text]): [string, string] => [`src/generated/${name}`, HEADER + text]),
  ]);
}
