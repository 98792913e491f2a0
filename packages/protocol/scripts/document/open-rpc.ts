// The map of methods as an OpenRPC document. OpenRPC lists parameters by name; where a method takes one of several
// shapes, the members of all are listed and `x-shape` names the exact schema.
import {
  METHOD_DESCRIPTORS,
  type MethodDescriptor,
  type MethodName,
} from '../../src/schema/method-descriptors.ts';
import { METHOD_NOTES } from './method-notes.ts';
import type { Schema } from './schema-text.ts';

export function openRpcDocument(shapes: Readonly<Record<string, unknown>>): string {
  const document = {
    openrpc: '1.3.2',
    info: {
      title: 'exec-server',
      version: '1',
      description:
        'Messages carry no `jsonrpc` member. Methods marked `x-direction: serverToClient` are sent by the server.',
      license: { name: 'Apache-2.0' },
    },
    methods: (Object.keys(METHOD_DESCRIPTORS) as MethodName[]).map((name) => describe(name, shapes)),
    components: { schemas: redirect(shapes) },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function describe(name: MethodName, shapes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { summary, errors = [] } = METHOD_NOTES[name];
  const { direction, params, result, capability, grant, changes, payload, resultPayloads }: MethodDescriptor =
    METHOD_DESCRIPTORS[name];
  const shape = typeof params === 'string' ? undefined : params.$id;
  return {
    name,
    summary,
    paramStructure: 'by-name',
    params: shape === undefined ? [] : parameters(shapes[shape] as Schema, shapes),
    ...(result === undefined ? {} : { result: { name: 'result', schema: reference(result.$id ?? '') } }),
    ...(errors.length === 0 ? {} : { errors: errors.map(([code, message]) => ({ code, message })) }),
    'x-direction': direction,
    ...(shape === undefined ? {} : { 'x-shape': reference(shape) }),
    ...(payload === undefined ? {} : { 'x-payload': payload }),
    ...(resultPayloads === undefined ? {} : { 'x-result-payloads': resultPayloads }),
    ...(capability === undefined ? {} : { 'x-capability': capability }),
    ...(direction === 'clientToServer' ? { 'x-grant': grant ?? 'own', 'x-changes': changes === true } : {}),
  };
}

function parameters(shape: Schema, shapes: Readonly<Record<string, unknown>>): unknown[] {
  const variants = (shape.anyOf ?? shape.oneOf ?? [shape]).map((variant) =>
    variant.$ref === undefined ? variant : (shapes[nameOf(variant.$ref)] as Schema),
  );
  const members = new Map<string, Schema>();
  for (const { properties = {} } of variants) {
    for (const [name, schema] of Object.entries(properties))
      if (!members.has(name)) members.set(name, schema);
  }
  return [...members].map(([name, schema]) => ({
    name,
    required: variants.every(({ required = [] }) => required.includes(name)),
    schema: redirect(schema),
  }));
}

const nameOf = (reference: string): string => reference.replace(/^.*\//, '');
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** References point into this document instead of the schema bundle. */
function redirect(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
