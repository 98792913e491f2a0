// docs/protocol-methods.md: every method and every shape, from the schemas.
import {
  METHOD_DESCRIPTORS,
  type MethodDescriptor,
  type MethodName,
} from '../../src/schema/method-descriptors.ts';
import { namedSchemas } from '../../src/schema/named-schemas.ts';
import { METHOD_NOTES } from './method-notes.ts';
import { memberRows, type Schema } from './schema-text.ts';

const HEADER = `# Methods and shapes

Generated from the schemas by \`npm run generate\`. How they work together is in [protocol.md](protocol.md); the same as data is in
\`packages/protocol/schema\`: [exec-server.schema.json](../packages/protocol/schema/exec-server.schema.json) (JSON Schema) and
[exec-server.openrpc.json](../packages/protocol/schema/exec-server.openrpc.json) (OpenRPC).

A member that is not required may be absent or null, which is the same. \`path\` is a \`file:\` URI or, where \`absolutePaths\` is announced,
an absolute path. \`base64\` is the standard alphabet with padding. A payload is a member that is raw bytes where messages are
[binary](protocol.md#binary-payloads); \`list[].name\` is the member \`name\` of each element of \`list\`. Every request may answer -32602 for parameters that are not
as described, and -32600 before \`initialize\` and \`initialized\`.
`;

const DIRECTIONS = { clientToServer: 'client to server', serverToClient: 'server to client' } as const;

export function methodsDocument(): string {
  const names = Object.keys(METHOD_DESCRIPTORS) as MethodName[];
  const list = names.map((name) => `- [\`${name}\`](#${anchor(name)})`).join('\n');
  const shapes = [...namedSchemas()].map(
    ([name, schema]) => `### ${name}\n\n${memberRows(schema as Schema)}`,
  );
  return [HEADER, `## Methods\n\n${list}\n`, ...names.map(methodSection), '## Shapes\n', ...shapes].join(
    '\n',
  );
}

const anchor = (name: string): string => name.toLowerCase().replaceAll('/', '');

function methodSection(name: MethodName): string {
  const { summary, errors = [] } = METHOD_NOTES[name];
  const descriptor: MethodDescriptor = METHOD_DESCRIPTORS[name];
  const { capability, direction, params, result, grant, changes, payload, resultPayloads } = descriptor;
  const announced = capability === undefined ? '' : ` Announced as \`${capability}\`.`;
  const needed = grant === undefined || grant === 'anyone' ? '' : ` Needs the grant \`${grant}\`.`;
  const marked = changes === true ? ' Changes something.' : '';
  const lines = [
    `### ${name}\n`,
    `${result === undefined ? 'Notification' : 'Request'}, ${DIRECTIONS[direction]}.${announced}${needed}${marked} ${summary}\n`,
    `Parameters: ${shapeLink(params)}.`,
  ];
  if (payload !== undefined) lines.push(`Payload of the parameters: \`${payload}\`.`);
  if (result !== undefined) lines.push(`Result: ${shapeLink(result)}.`);
  if (resultPayloads !== undefined) {
    lines.push(`Payloads of the result: ${resultPayloads.map((path) => `\`${path}\``).join(', ')}.`);
  }
  const rows = errors.map(([code, when]) => `\n- \`${code}\` ${when}`);
  return `${lines.join('\n')}${rows.length > 0 ? `\n\nErrors:\n${rows.join('')}` : ''}\n`;
}

function shapeLink(schema: MethodDescriptor['params']): string {
  if (schema === 'none') return 'none';
  if (schema === 'any') return 'ignored';
  const name = schema.$id ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}
