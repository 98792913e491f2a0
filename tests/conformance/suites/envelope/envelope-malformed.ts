// Malformed messages, one literal frame each. Every one is answered with an error of id -1 and code -32600, after which
// the same connection still works.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { RequirementId } from '../../requirements/manifest.js';
import { verifies } from '../../runner/registry.js';
import { nested, params, withDepth, withValues } from './envelope-fixture.js';

const PREFIX = /^failed to parse websocket JSON-RPC message from exec-server websocket \S+:\d+: ./;

type MalformedId = Extract<RequirementId, `envelope.malformed.${string}`>;
type FrameId = Exclude<MalformedId, 'envelope.malformed.before-initialize' | 'envelope.malformed.flood'>;

interface Malformed {
  readonly frames: readonly string[];
  /** Text that the error must contain, where it is fixed. */
  readonly says?: string;
}

const status = (id: string) => `{"id":${id},"method":"environment/status"}`;
const NO_OBJECT = 'expected a JSON-RPC object';

const MALFORMED: Readonly<Record<FrameId, Malformed>> = {
  'envelope.malformed.not-json': { frames: ['{nope', 'nope', '}', '\u0000'] },
  'envelope.malformed.empty': { frames: [''] },
  'envelope.malformed.blank': { frames: ['   ', '\n\t'] },
  'envelope.malformed.truncated': {
    frames: ['{"id":1,"method":"nosuch","params":{"a":"b', '{"id":1,"method":"nosuch"'],
  },
  'envelope.malformed.trailing-text': { frames: ['{"id":1,"method":"nosuch"} x'] },
  'envelope.malformed.two-messages': {
    frames: [`${status('1')}${status('2')}`, `${status('1')}\n${status('2')}`],
  },
  'envelope.malformed.trailing-nul': { frames: [`${status('1')}\u0000`] },
  'envelope.malformed.byte-order-mark': { frames: [`\ufeff${status('1')}`] },
  'envelope.malformed.trailing-comma': { frames: ['{"id":1,"method":"nosuch",}', params('[1,]')] },
  'envelope.malformed.comment': { frames: ['{"id":1,/*x*/"method":"nosuch"}'] },
  'envelope.malformed.single-quotes': { frames: ["{'id':1,'method':'nosuch'}"] },
  'envelope.malformed.raw-control-character': { frames: ['{"id":1,"method":"no\u0001such"}'] },
  'envelope.malformed.raw-newline': { frames: ['{"id":1,"method":"no\nsuch"}'] },
  'envelope.malformed.bad-escape': { frames: ['{"id":1,"method":"\\x41"}'] },
  'envelope.malformed.lone-high-surrogate': { frames: [params('["\\ud800"]')] },
  'envelope.malformed.lone-low-surrogate': { frames: [params('["\\udc00x"]')] },
  'envelope.malformed.not-a-number': { frames: [params('[NaN]')] },
  'envelope.malformed.infinity': { frames: [params('[Infinity]'), params('[-Infinity]')] },
  'envelope.malformed.hex-number': { frames: [params('[0x10]')] },
  'envelope.malformed.leading-zero': { frames: [params('[01]')] },
  'envelope.malformed.plus-sign': { frames: [params('[+1]')] },
  'envelope.malformed.null': { frames: ['null'], says: NO_OBJECT },
  'envelope.malformed.number': { frames: ['42'], says: NO_OBJECT },
  'envelope.malformed.string': { frames: ['"initialize"'], says: NO_OBJECT },
  'envelope.malformed.batch': { frames: [`[${status('1')},${status('2')}]`], says: NO_OBJECT },
  'envelope.malformed.empty-batch': { frames: ['[]'], says: NO_OBJECT },
  'envelope.malformed.empty-object': { frames: ['{}'] },
  'envelope.malformed.id-only': { frames: ['{"id":1}', '{"id":1,"params":{}}'] },
  'envelope.malformed.id-null': { frames: [status('null')] },
  'envelope.malformed.id-boolean': { frames: [status('true')] },
  'envelope.malformed.id-object': { frames: [status('{}')] },
  'envelope.malformed.id-array': { frames: [status('[1]')] },
  'envelope.malformed.id-fraction': { frames: [status('1.5')] },
  'envelope.malformed.id-decimal-point': { frames: [status('1.0')] },
  'envelope.malformed.id-exponent': { frames: [status('1e2')] },
  'envelope.malformed.id-too-large': {
    frames: [status('9223372036854775808'), status('-9223372036854775809')],
  },
  'envelope.malformed.id-infinite': { frames: [status('1e400')] },
  'envelope.malformed.method-number': { frames: ['{"id":1,"method":5}', '{"method":5}'] },
  'envelope.malformed.method-null': { frames: ['{"id":1,"method":null}'] },
  'envelope.malformed.method-object': { frames: ['{"id":1,"method":{}}'] },
  'envelope.malformed.duplicate-member': {
    frames: ['{"id":1,"id":1,"method":"environment/status"}'],
    says: 'duplicate JSON object key `id`',
  },
  'envelope.malformed.duplicate-nested-key': {
    frames: [params('{"a":[{"b":1,"b":2}]}')],
    says: 'duplicate JSON object key `b`',
  },
  'envelope.malformed.duplicate-escaped-key': {
    frames: [params('{"a":1,"\\u0061":2}')],
    says: 'duplicate JSON object key `a`',
  },
  'envelope.malformed.duplicate-prototype-key': {
    frames: [params('{"__proto__":1,"__proto__":2}')],
    says: 'duplicate JSON object key `__proto__`',
  },
  'envelope.malformed.depth': { frames: [withDepth(128), withDepth(5_000)] },
  'envelope.malformed.depth-arrays': { frames: [nested(100_000)] },
  'envelope.malformed.depth-objects': { frames: ['{"a":'.repeat(100_000)] },
  'envelope.malformed.values': {
    frames: [withValues(262_145)],
    says: 'JSON-RPC message exceeds the limit of 262144 JSON values',
  },
  'envelope.malformed.trace-number': { frames: ['{"id":1,"method":"nosuch","trace":5}'] },
  'envelope.malformed.trace-string': { frames: ['{"id":1,"method":"nosuch","trace":"x"}'] },
  'envelope.malformed.traceparent-number': {
    frames: ['{"id":1,"method":"nosuch","trace":{"traceparent":5}}'],
  },
  'envelope.malformed.result-without-id': { frames: ['{"result":1}'] },
  'envelope.malformed.error-without-id': { frames: ['{"error":{"code":1,"message":"x"}}'] },
  'envelope.malformed.error-without-message': { frames: ['{"id":1,"error":{"code":1}}'] },
  'envelope.malformed.error-code-string': { frames: ['{"id":1,"error":{"code":"x","message":"m"}}'] },
};

for (const [id, { frames, says }] of Object.entries(MALFORMED)) {
  verifies(id as FrameId, async (t) => {
    const connection = await t.open();
    for (const frame of frames) {
      const from = connection.received.length;
      connection.send(frame);
      await assertMalformed(connection, from, says);
      await connection.call('environment/status');
      assert.equal(connection.received.length, from + 2, 'nothing but the error and the status was sent');
    }
  });
}

verifies('envelope.malformed.before-initialize', async (t) => {
  const connection = await t.connect();
  connection.send('not-json');
  await assertMalformed(connection, 0);
  await t.initialize(connection);
  await connection.call('environment/status');
});

verifies('envelope.malformed.flood', async (t) => {
  const connection = await t.open();
  const from = connection.received.length;
  const rounds = 300;
  for (let round = 0; round < rounds; round++) {
    connection.send('{"id":');
    connection.send({ id: `r${round}`, method: 'environment/status' });
  }
  const expected = Array.from({ length: rounds }, (_, round) => [-1, `r${round}`]).flat();
  await connection.until(
    () => (connection.received.length >= from + expected.length ? true : undefined),
    `${expected.length} replies`,
  );
  const ids = connection.received.slice(from).map((message) => message.id);
  assert.deepEqual(ids.toSorted(), expected.toSorted());
});

async function assertMalformed(connection: Conversation, from: number, says = ''): Promise<void> {
  const reply = await connection.next(() => true, 'an error', { from });
  assert.equal(reply.id, -1);
  assert.equal(reply.error?.code, -32600);
  assert.match(reply.error.message, PREFIX);
  assert.ok(reply.error.message.includes(says), `${reply.error.message} does not say: ${says}`);
}
