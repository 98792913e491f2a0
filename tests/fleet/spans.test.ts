// Spans of the opening of channels, with a provider that records what it is told: the caller's below what is active, the
// machine's below the caller's.

import { ExecServerClient } from '@codex/exec-client';
import { FleetCaller, FleetSession } from '@codex/exec-fleet';
import * as api from '@opentelemetry/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { type Machine, startMachine } from './support/machines.js';
import { until } from './support/until.js';

interface Recorded {
  readonly name: string;
  readonly kind: api.SpanKind | undefined;
  readonly parent: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string;
  readonly attributes: Record<string, unknown>;
  hasEnded: boolean;
}

const TRACE_ID = 'a'.repeat(32);
const PARENT_ID = 'b'.repeat(16);
const spans: Recorded[] = [];
let active = api.ROOT_CONTEXT;

const startSpan: api.Tracer['startSpan'] = (name, options = {}, context = api.ROOT_CONTEXT) => {
  const parent = api.trace.getSpanContext(context);
  const spanId = String(spans.length + 1).padStart(16, '0');
  const span: Recorded = {
    name,
    kind: options.kind,
    parent: parent?.spanId,
    traceId: parent?.traceId,
    spanId,
    attributes: { ...options.attributes },
    hasEnded: false,
  };
  spans.push(span);
  const spanContext = { traceId: parent?.traceId ?? TRACE_ID, spanId, traceFlags: 1 };
  return Object.assign(Object.create(api.trace.wrapSpanContext(spanContext)) as api.Span, {
    spanContext: () => spanContext,
    setAttribute(key: string, value: unknown) {
      span.attributes[key] = value;
      return this;
    },
    end: () => {
      span.hasEnded = true;
    },
  });
};

let broker: Broker;
let machine: Machine;

beforeAll(async () => {
  api.trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
  });
  api.context.setGlobalContextManager({
    active: () => active,
    with: (_context, run, self, ...args) => run.call(self, ...args),
    bind: (_context, target) => target,
    enable: () => api.context as never,
    disable: () => api.context as never,
  });
  broker = await startBroker();
  machine = await startMachine({ broker: broker.url, name: 'x1', maxSessions: 1 });
});
afterAll(async () => {
  await machine.stop();
  await broker.stop();
  api.trace.disable();
  api.context.disable();
});

it('of a client are below the span that is active, and those of the machine below them', async () => {
  const parent = { traceId: TRACE_ID, spanId: PARENT_ID, traceFlags: 1 };
  active = api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
  const client = await ExecServerClient.connect(broker.url, { environment: 'test' });
  active = api.ROOT_CONTEXT;
  await until(() => spans.every(({ hasEnded }) => hasEnded));
  expect(spans).toMatchObject([
    {
      name: 'fleet.open',
      kind: api.SpanKind.CLIENT,
      parent: PARENT_ID,
      traceId: TRACE_ID,
      attributes: {
        'exec_fleet.environment': 'test',
        'exec_fleet.executor': 'x1',
        'exec_fleet.resumes': false,
        'exec_fleet.result': 'accepted',
      },
    },
    {
      name: 'fleet.open',
      kind: api.SpanKind.SERVER,
      parent: spans[0]?.spanId,
      traceId: TRACE_ID,
      attributes: { 'exec_fleet.executor': 'x1', 'exec_fleet.result': 'accepted' },
    },
  ]);
  spans.length = 0;
  const caller = await FleetCaller.connect({ broker: broker.url, name: 'test', role: 'g', budgetBytes: 0 });
  const trace = { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` };
  const full = new FleetSession({ caller, environment: 'test', machine: 'x1', trace, acquireTimeoutMs: 1 });
  await expect(full.open(new AbortController().signal, null)).rejects.toThrow('does not answer with room');
  const asked = spans.filter(({ kind }) => kind === api.SpanKind.CLIENT);
  expect(asked).toMatchObject([
    { parent: PARENT_ID, hasEnded: true, attributes: { 'exec_fleet.result': 'FLEET_NO_CAPACITY' } },
  ]);
  const answered = spans.filter(({ kind }) => kind === api.SpanKind.SERVER);
  expect(answered.length).toBeGreaterThan(0);
  for (const span of answered)
    expect(span).toMatchObject({ hasEnded: true, attributes: { 'exec_fleet.result': 'noCapacity' } });
  await caller.close();
  await client.close();
});

it('are not made for whoever is not traced', async () => {
  spans.length = 0;
  const client = await ExecServerClient.connect(broker.url, { environment: 'test' });
  await client.close();
  expect(spans).toEqual([]);
});
