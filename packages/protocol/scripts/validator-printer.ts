// Compiles the schemas with ajv into standalone modules: one for what a server receives, one for what a client
// receives, so that neither side loads the other's.
import type { TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { METHODS } from '../src/methods.ts';
import { METHOD_SCHEMAS } from '../src/schema/method-schemas.ts';
import { namedSchemas } from '../src/schema/named-schemas.ts';

const standaloneCode = standaloneModule.default;

interface Module {
  readonly path: string;
  /** Export name of each validator → name of its schema. */
  readonly validators: Readonly<Record<string, string>>;
  /** Printed before the validators: tables from method to validator. */
  readonly tables: string;
}

function compile(validators: Readonly<Record<string, string>>): string {
  const ajv = new Ajv({
    schemas: [...namedSchemas().values()],
    code: { source: true, esm: true, optimize: 2, lines: false },
    discriminator: true,
    allowUnionTypes: true,
    inlineRefs: false,
    messages: false,
  });
  const code = standaloneCode(ajv, { ...validators });
  if (code.includes('require(')) throw new Error('a schema uses a keyword that needs the ajv runtime');
  return code.replace(/^"use strict";/, '');
}

function methodTable(name: string, entries: readonly (readonly [string, string])[]): string {
  const lines = entries.map(([method, validator]) => `  ['${method}', ${validator}],`);
  return `export const ${name} = new Map([\n${lines.join('\n')}\n]);\n`;
}

const idOf = (schema: TSchema | string | undefined) =>
  typeof schema === 'object' && schema.$id !== undefined ? schema.$id : undefined;

function methodsOf(direction: string, part: 'params' | 'result'): (readonly [string, string])[] {
  return Object.entries(METHOD_SCHEMAS).flatMap(([method, schemas]) => {
    if (METHODS[method as keyof typeof METHODS].direction !== direction) return [];
    const id = idOf((schemas as Record<string, TSchema | string | undefined>)[part]);
    return id === undefined ? [] : [[method, id] as const];
  });
}

function module(path: string, tables: Readonly<Record<string, (readonly [string, string])[]>>): Module {
  const ids = Object.values(tables).flatMap((entries) => entries.map(([, id]) => id));
  return {
    path,
    validators: Object.fromEntries([...new Set(ids)].map((id) => [`validate${id}`, id])),
    tables: Object.entries(tables)
      .map(([name, entries]) =>
        methodTable(
          name,
          entries.map(([method, id]) => [method, `validate${id}`]),
        ),
      )
      .join(''),
  };
}

function declaration(tables: string): string {
  const names = [...tables.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  const lines = names.map((name) => `export declare const ${name}: ReadonlyMap<string, Validator>;\n`);
  return `import type { Validator } from '../validation-error.js';\n\n${lines.join('')}`;
}

export function validatorFiles(header: string): [string, string][] {
  const start = methodsOf('clientToServer', 'params').filter(([method]) => method !== 'process/start');
  const modules = [
    module('params-validators', {
      paramsValidators: start,
      startValidators: [
        ['direct', 'DirectStartParams'],
        ['prepared', 'PreparedStartParams'],
      ],
    }),
    module('message-validators', {
      resultValidators: methodsOf('clientToServer', 'result'),
      notificationValidators: methodsOf('serverToClient', 'params'),
    }),
  ];
  return modules.flatMap(({ path, validators, tables }): [string, string][] => [
    [`src/generated/${path}.js`, `${header}${compile(validators)}\n${tables}`],
    [`src/generated/${path}.d.ts`, `${header}${declaration(tables)}`],
  ]);
}
