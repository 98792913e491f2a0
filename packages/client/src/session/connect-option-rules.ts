// Checks the options of `connect` at run time.

import {
  abortSignal,
  anything,
  callback,
  duration,
  flag,
  nested,
  show,
  text,
  type ValueRule,
} from '@codex/exec-protocol/options';
import { checkOptions } from '../options/check-options.js';
import { checkSpawnOptions } from '../options/spawn-option-rules.js';
import type { ConnectOptions } from './connect-options.js';

const unlessFalse =
  (rule: ValueRule): ValueRule =>
  (value) =>
    value === false ? undefined : rule(value);

const CONNECT = {
  clientName: text,
  signal: abortSignal,
  connectTimeoutMs: duration,
  reconnect: unlessFalse(
    nested({ of: 'reconnect', values: { maxElapsedMs: duration, intervalMs: duration } }),
  ),
  heartbeat: unlessFalse(nested({ of: 'heartbeat', values: { timeoutMs: duration } })),
  headers: anything,
  token: text,
  environment: text,
  machine: text,
  credentials: text,
  caFile: text,
  fleet: nested({
    of: 'fleet',
    values: { acquireTimeoutMs: duration, lossGraceMs: duration, insecurePlaintext: flag },
  }),
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
  binaryPayloads: flag,
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
  checkOptions(options, { of: 'connect', values: CONNECT, otherNames });
}
