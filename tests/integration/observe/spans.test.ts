// Spans through the OpenTelemetry API, with a provider that records what it is told.

import { RpcPeer } from '@codex/exec-rpc';
import { ExecServer } from '@codex/exec-server-core';
import * as api from '@opentelemetry/api';
import { afterAll, expect, it } from 'vitest';

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string;
  readonly attributes: Record<string, unknown>;
  status?: api.SpanStatus;
  ended: boolean;
}

const spans: Recorded[] = [];

function recordingTracer(): api.Tracer {
  const startSpan: api.Tracer['startSpan'] = (name, options = {}, context = api.ROOT_CONTEXT) => {
    const parent = api.trace.getSpanContext(context);
    const spanId = String(spans.length + 1).padStart(16, '0');
    const span: Recorded = {
      name,
      parent: parent?.spanId,
      traceId: parent?.traceId,
      spanId,
      attributes: { ...options.attributes },
      ended: false,
    };
    spans.push(span);
    const spanContext = { traceId: parent?.traceId ?? '0'.repeat(32), spanId, traceFlags: 1 };
    const wrapped = api.trace.wrapSpanContext(spanContext);
    return Object.assign(Object.create(wrapped) as api.Span, {
      spanContext: () => spanContext,
      setAttribute(key: string, value: unknown) {
        span.attributes[key] = value;
        return this;
      },
      setStatus(status: api.SpanStatus) {
        span.status = status;
        return this;
      },
      end() {
        span.ended = true;
      },
    });
  };
  return { startSpan, startActiveSpan: () => undefined as never };
}

api.trace.setGlobalTracerProvider({ getTracer: recordingTracer });
afterAll(() => api.trace.disable());

it('are children of the trace that a request carries', async () => {
  const server = new ExecServer({ openTelemetry: api });
  const closed: string[] = [];
  const channel = server.connectInMemory();
  const peer = new RpcPeer(channel, {
    onRequest: () => null,
    onNotification: ({ method }) => void closed.push(method),
  });
  await peer.call('initialize', { clientName: 'traced' });
  peer.notify('initialized', {});
  const traceId = 'a'.repeat(32);
  const trace = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
  const start = (processId: string, script: string) => ({
    id: processId,
    method: 'process/start',
    params: { processId, argv: ['/bin/sh', '-c', script], cwd: '/', env: { PATH: '/bin:/usr/bin' } },
  });
  channel.send(JSON.stringify({ ...start('traced', 'exit 4'), trace }));
  channel.send(JSON.stringify(start('plain', 'exit 0')));
  channel.send(JSON.stringify({ ...start('wrong', 'exit 0'), trace: { traceparent: 'nonsense' } }));
  await expect.poll(() => closed.filter((method) => method === 'process/closed').length).toBe(3);
  expect(spans.map(({ name }) => name)).toEqual(['process/start', 'sh']);
  const [request, command] = spans;
  expect(request).toMatchObject({ parent: 'b'.repeat(16), traceId, ended: true });
  expect(command).toMatchObject({
    parent: request?.spanId,
    traceId,
    ended: true,
    attributes: { 'process.executable.name': 'sh', 'process.exit.code': 4, 'exec_server.process': 'traced' },
    status: { code: api.SpanStatusCode.ERROR },
  });
  peer.close();
  await server.shutdown();
});
