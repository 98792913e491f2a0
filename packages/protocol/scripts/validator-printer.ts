// Compiles the schemas with ajv into standalone modules: one for what a server receives, one for what a client
// receives, so that neither side loads the other's.
import type { TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { METHOD_DESCRIPTORS, type MethodDescriptor } from '../src/schema/method-descriptors.ts';
import { namedSchemas } from '../src/schema/named-schemas.ts';
import { expectationTables } from './expectation-tables.ts';

const standaloneCode = standaloneModule.default;

/** Key of a validator in its table → name of its schema. */
type Table = readonly (readonly [string, string])[];

const methods = Object.entries<MethodDescriptor>(METHOD_DESCRIPTORS);

/** Upstream's decoder meets a wrong member before it can know that another is missing. */
function checkMembersBeforePresence(ajv: Ajv): void {
  const rules = ajv.RULES.rules.find(({ type }) => type === 'object')?.rules ?? [];
  rules.push(
    ...rules.splice(
      rules.findIndex(({ keyword }) => keyword === 'required'),
      1,
    ),
  );
}

function compile(names: readonly string[]): string {
  const ajv = new Ajv({
    schemas: [...namedSchemas().values()],
    code: { source: true, esm: true, optimize: 2, lines: false },
    discriminator: true,
    allowUnionTypes: true,
    inlineRefs: false,
    messages: false,
  });
  checkMembersBeforePresence(ajv);
  const code = standaloneCode(ajv, Object.fromEntries(names.map((name) => [`validate${name}`, name])));
  if (code.includes('require(')) throw new Error('a schema uses a keyword that needs the ajv runtime');
  // What the error sentences do not need is left out: it is a tenth of the text.
  return code
    .replace(/^"use strict";/, '')
    .replace(/schemaPath:"[^"]*",/g, '')
    .replace(/\/\*# sourceURL="[^"]*" \*\/;/g, '');
}

const nameOf = (schema: TSchema | string | undefined) =>
  typeof schema === 'object' ? schema.$id : undefined;

function schemasOf(direction: MethodDescriptor['direction'], part: 'params' | 'result'): Table {
  return methods.flatMap(([method, descriptor]) => {
    const name = nameOf(descriptor[part]);
    return descriptor.direction === direction && name !== undefined ? [[method, name] as const] : [];
  });
}

function validatorTables(tables: Readonly<Record<string, Table>>): string {
  return Object.entries(tables)
    .map(([table, entries]) => {
      const lines = entries.map(([key, name]) => `  ['${key}', validate${name}],\n`);
      return `export const ${table} = new Map([\n${lines.join('')}]);\n`;
    })
    .join('');
}

function plainTables(names: ReadonlySet<string>): string {
  const reachable = new Map([...namedSchemas()].filter(([name]) => names.has(name)));
  const tables: Record<string, ReadonlyMap<string, unknown>> = { ...expectationTables(reachable) };
  return Object.entries(tables)
    .map(([table, entries]) => `export const ${table} = new Map(${JSON.stringify([...entries])});\n`)
    .join('');
}

/** The given schemas and all they refer to. */
function closure(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const text = JSON.stringify(namedSchemas().get(name) ?? {});
    for (const [, ref] of text.matchAll(/"\$ref":"(\w+)"/g)) if (ref !== undefined) visit(ref);
  };
  names.forEach(visit);
  return found;
}

function declaration(tables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(tables).map(
    ([name, value]) => `export declare const ${name}: ReadonlyMap<string, ${value}>;\n`,
  );
  return `import type { Validator } from '../errors/validation-error.js';\n\n${lines.join('')}`;
}

const PLAIN_TYPES = { structNames: 'string', integerTypes: 'string', tagNames: 'readonly string[]' };

function moduleFiles(path: string, tables: Readonly<Record<string, Table>>, extra = ''): [string, string][] {
  const names = [...new Set(Object.values(tables).flatMap((table) => table.map(([, name]) => name)))];
  const validators = Object.fromEntries(Object.keys(tables).map((table) => [table, 'Validator']));
  const extras = extra === '' ? {} : { paramsStructs: 'string' };
  return [
    [`${path}.js`, `${compile(names)}\n${validatorTables(tables)}${extra}${plainTables(closure(names))}`],
    [`${path}.d.ts`, declaration({ ...validators, ...extras, ...PLAIN_TYPES })],
  ];
}

/** Method → name of its params type, or `none` or `any`. */
function paramsStructs(): string {
  const entries = methods
    .filter(([, { direction }]) => direction === 'clientToServer')
    .map(([method, { params }]) => [method, nameOf(params) ?? params]);
  return `export const paramsStructs = new Map(${JSON.stringify(entries)});\n`;
}

export function validatorFiles(): [string, string][] {
  const params = schemasOf('clientToServer', 'params').filter(([method]) => method !== 'process/start');
  const those = (isWanted: (method: string) => boolean): Table =>
    params.filter(([method]) => isWanted(method));
  const isFirst = (method: string): boolean => method === 'initialize';
  const isOfProcesses = (method: string): boolean => method.startsWith('process/');
  return [
    // All that a server needs for its first answer is in a small module, and what commands need apart from the rest.
    ...moduleFiles('first-validators', { firstValidators: those(isFirst) }, paramsStructs()),
    ...moduleFiles('process-validators', {
      processValidators: those(isOfProcesses),
      startValidators: [
        ['direct', 'DirectStartParams'],
        ['prepared', 'PreparedStartParams'],
      ],
    }),
    ...moduleFiles('params-validators', {
      paramsValidators: those((method) => !isFirst(method) && !isOfProcesses(method)),
    }),
    ...moduleFiles('message-validators', {
      resultValidators: schemasOf('clientToServer', 'result'),
      notificationValidators: schemasOf('serverToClient', 'params'),
    }),
  ];
}
