// Ways in which a server could be wrong. Each is told about everything a real server says, so that a check which looks at
// the matter must notice.
import type { JsonObject } from '../client/message.js';

/** Returns what to say; undefined to say nothing; the message itself where there is nothing to lie about. */
export type Lie = (message: JsonObject) => JsonObject | undefined;

type Mutable = Record<string, unknown>;

export const LIES: Readonly<Record<string, Lie>> = {
  'wrong error code': (message) =>
    withError(message, (error) => ({ ...error, code: Number(error['code']) - 7 })),
  'other error text': (message) =>
    withError(message, (error) => ({ ...error, message: 'something went wrong' })),
  'errors become results': (message) => (message['error'] ? { id: message['id'], result: {} } : message),
  'results become errors': (message) =>
    'result' in message ? { id: message['id'], error: { code: -32603, message: 'no' } } : message,
  'booleans negated': (message) =>
    mapLeaves(message, (value) => (typeof value === 'boolean' ? !value : value)),
  'numbers one too high': (message) =>
    mapLeaves(message, (value, key) =>
      typeof value === 'number' && key !== 'id' && key !== 'code' ? value + 1 : value,
    ),
  'texts changed': (message) =>
    mapLeaves(message, (value, key) =>
      typeof value === 'string' && !['id', 'method', 'message'].includes(key) ? `${value}x` : value,
    ),
  'first element missing': (message) => mapArrays(message, (items) => items.slice(1)),
  'order reversed': (message) => mapArrays(message, (items) => items.toReversed()),
  'notifications lost': (message) => ('method' in message ? undefined : message),
  'output lost': (message) => (message['method'] === 'process/output' ? undefined : message),
  'replies lost': (message) => ('result' in message && Number(message['id']) > 1 ? undefined : message),
};

function withError(message: JsonObject, change: (error: Mutable) => Mutable): JsonObject {
  return message['error'] ? { ...message, error: change(message['error'] as Mutable) } : message;
}

function mapLeaves(message: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  const visit = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, key));
    if (typeof value !== 'object' || value === null) return change(value, key);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member, name)]));
  };
  return visit(message, '') as JsonObject;
}

function mapArrays(message: JsonObject, change: (items: unknown[]) => unknown[]): JsonObject {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return change(value.map(visit));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
  };
  return visit(message) as JsonObject;
}
