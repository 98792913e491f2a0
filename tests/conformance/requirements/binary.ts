// Payloads as raw bytes.
import type { Requirement } from './requirement.js';

const source = 'this project: docs/protocol.md';
const needs = ['extension:binaryPayloads'] as const;

export const BINARY = [
  {
    id: 'binary.payloads.announced',
    source,
    behaviour:
      '`initialize` and `environment/info` announce `binaryPayloads`, whether it was asked for or not.',
    needs,
  },
  {
    id: 'binary.payloads.unasked',
    source,
    behaviour: 'A client that did not ask for it gets text only: output, replies, files.',
    needs,
  },
  {
    id: 'binary.payloads.output',
    source,
    behaviour: 'Output comes as binary messages, in the order of `seq`, before `process/exited`.',
    needs,
  },
  {
    id: 'binary.payloads.replies',
    source,
    behaviour:
      'The replies to `process/read`, `process/snapshot`, `fs/readFile` and `fs/readBlock` are binary.',
    needs: [...needs, 'shared-host'],
  },
  {
    id: 'binary.payloads.requests',
    source,
    behaviour:
      '`process/write`, `fs/writeFile` and `fs/writeBlock` are taken in binary form and in text, mixed.',
    needs: [...needs, 'shared-host'],
  },
  {
    id: 'binary.payloads.pipelined',
    source,
    behaviour: 'Binary and text requests take effect in the order they were sent.',
    needs: [...needs, 'shared-host'],
  },
  {
    id: 'binary.payloads.refused-request',
    source,
    behaviour:
      'A binary request with a payload where none belongs, or of another length, is answered -32600 under its id.',
    needs,
  },
  {
    id: 'binary.payloads.malformed',
    source,
    behaviour:
      'A binary message with a short header, another kind, or lengths that lie is answered -32600 under -1; the connection lives.',
    needs,
  },
  {
    id: 'binary.payloads.before',
    source,
    behaviour: 'Before it was asked for, a binary message is what a frame without JSON is.',
    needs,
  },
  {
    id: 'binary.payloads.resumed',
    source,
    behaviour:
      'A session may be resumed in the other form; what was missed comes in the form of the new connection.',
    needs,
  },
  {
    id: 'binary.payloads.stdio',
    source,
    behaviour: 'On stdio a binary message stands between lines, in both directions.',
    needs: [...needs, 'stdio'],
  },
] as const satisfies readonly Requirement[];
