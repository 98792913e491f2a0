// The options of `connect`, and of waits, as they are checked at run time.

import type { ConnectOptions } from '../session/connect-options.js';
import { checkOptions, type ValueRule } from './check-options.js';
import { checkSpawnOptions } from './spawn-option-rules.js';
import { abortSignal, anything, callback, duration, nested, show, text } from './value-rules.js';

const unlessFalse =
  (rule: ValueRule): ValueRule =>
  (value) =>
    value === false ? undefined : rule(value);

const CONNECT = {
  clientName: text,
  signal: abortSignal,
  connectTimeoutMs: duration,
  reconnect: unlessFalse(nested('reconnect', { maxElapsedMs: duration, intervalMs: duration })),
  heartbeat: unlessFalse(nested('heartbeat', { timeoutMs: duration })),
  headers: anything,
  token: text,
  clock: anything,
  defaults: (value) => {
    if (typeof value !== 'object' || value === null) return `is an object, not ${show(value)}`;
    checkSpawnOptions(value);
    return undefined;
  },
  resume: (value) =>
    typeof value === 'object' && value !== null && typeof Reflect.get(value, 'sessionId') === 'string'
      ? undefined
      : `is { sessionId }, or what detach() gave, not ${show(value)}`,
  sessionTtlMs: duration,
  onEvent: callback,
} as const satisfies Record<keyof ConnectOptions, ValueRule>;

const otherNames = {
  timeout: 'connectTimeoutMs',
  timeoutMs: 'connectTimeoutMs',
  name: 'clientName',
  auth: 'token',
  bearer: 'token',
  retry: 'reconnect',
  keepalive: 'heartbeat',
  sessionId: 'resume: { sessionId }',
  resumeSessionId: 'resume: { sessionId }',
} as const;

export function checkConnectOptions(options: object): void {
  checkOptions(options, { call: 'connect', values: CONNECT, otherNames });
}
