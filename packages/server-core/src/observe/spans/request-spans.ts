// Spans of requests and of the commands they start, for a program that has the OpenTelemetry API. They are children of the
// `trace` that a request carries; a request without one is not traced.

import {
  isMethod,
  type JournalEvent,
  type Tracer,
  type TracingApi,
  type TracingContext,
  type TracingSpan,
  type TracingSpanContext,
} from '@codex/exec-protocol';
import type { Journal } from '../../journal/journal.js';
import type { MeasuredRequest, RequestInstrument, RequestResult } from '../instruments.js';

/** `import * as api from '@opentelemetry/api'` */
export type OpenTelemetryApi = Pick<
  TracingApi,
  'trace' | 'ROOT_CONTEXT' | 'SpanKind' | 'SpanStatusCode' | 'createTraceState'
>;

/** Starts whose process is not seen yet; a client that sends more loses the oldest link. */
const MAX_PENDING = 4096;

export class RequestSpans implements RequestInstrument {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: Tracer;
  /** By session and process: what its span is a child of, then the span. */
  readonly #starting = new Map<string, TracingContext>();
  readonly #running = new Map<string, TracingSpan>();

  constructor(api: OpenTelemetryApi, version: string) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('@codex/exec-server', version);
  }

  attach(journal: Journal): void {
    journal.listen((event) => this.#note(event));
  }

  begin({ method, params, trace, session }: MeasuredRequest): (result: RequestResult) => void {
    const parent = this.#parentOf(trace);
    if (parent === undefined || !isMethod(method)) return () => undefined;
    const { SpanKind, SpanStatusCode } = this.#api;
    const attributes = { 'rpc.system': 'jsonrpc', 'rpc.service': 'exec-server', 'rpc.method': method };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const { processId } = (params ?? {}) as { processId?: unknown };
    if (method === 'process/start' && typeof processId === 'string' && session !== undefined) {
      this.#remember(keyOf(session, processId), this.#api.trace.setSpan(parent, span));
    }
    return (result) => {
      if (result === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  }

  #remember(key: string, context: TracingContext): void {
    this.#starting.set(key, context);
    const [oldest] = this.#starting.keys();
    if (this.#starting.size > MAX_PENDING && oldest !== undefined) this.#starting.delete(oldest);
  }

  #note(event: JournalEvent): void {
    if (event.kind === 'processStarted') this.#started(event);
    else if (event.kind === 'processExited') this.#ended(event, event.exitCode);
    else if (event.kind === 'processLost') this.#ended(event, undefined);
    else if (event.kind === 'processRefused') this.#starting.delete(keyOf(event.session, event.processId));
  }

  #started(event: Extract<JournalEvent, { kind: 'processStarted' }>): void {
    const key = keyOf(event.session, event.processId);
    const parent = this.#starting.get(key);
    if (parent === undefined) return;
    this.#starting.delete(key);
    const executable = event.argv[0]?.split('/').at(-1) ?? '';
    const attributes = {
      'process.executable.name': executable,
      'process.pid': event.pid,
      'process.working_directory': event.cwd,
      'exec_server.session': event.session,
      'exec_server.process': event.processId,
      'exec_server.sandbox': event.sandboxType,
    };
    const { SpanKind } = this.#api;
    this.#running.set(
      key,
      this.#tracer.startSpan(executable, { kind: SpanKind.INTERNAL, attributes }, parent),
    );
  }

  #ended({ session, processId }: { session: string; processId: string }, exitCode: number | undefined): void {
    const key = keyOf(session, processId);
    const span = this.#running.get(key);
    if (span === undefined) return;
    this.#running.delete(key);
    if (exitCode !== undefined) span.setAttribute('process.exit.code', exitCode);
    if (exitCode !== 0) span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    span.end();
  }

  #parentOf(trace: unknown): TracingContext | undefined {
    const { traceparent, tracestate } = (trace ?? {}) as { traceparent?: unknown; tracestate?: unknown };
    const [, traceId, spanId, flags] =
      /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(traceparent)) ?? [];
    if (traceId === undefined || spanId === undefined) return undefined;
    if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
    const remote: TracingSpanContext = {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags ?? '0', 16),
      isRemote: true,
      ...(typeof tracestate === 'string' ? { traceState: this.#api.createTraceState(tracestate) } : {}),
    };
    return this.#api.trace.setSpanContext(this.#api.ROOT_CONTEXT, remote);
  }
}

function keyOf(session: string, processId: string): string {
  return `${session}/${processId}`;
}
