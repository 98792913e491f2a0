// Spans of the opening of channels, where tracing is set up in this process. A caller's is a child of the span that is active, or
// of the `trace` that a gateway's client sent; a machine's is a child of the caller's. Without such a parent nothing is traced.

import type { TracingApi, TracingContext, TracingSpan, TracingSpanContext } from '@codex/exec-protocol';

/** As in the trace context of the W3C. */
export interface Trace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export interface OpenSpan {
  /** For the machine that is asked. */
  readonly trace: Trace | undefined;
  /** Only the first call counts. */
  end(result: string, executor?: string): void;
}

export interface OpenAbout {
  readonly environment: string;
  readonly executor?: string;
  readonly resumes: boolean;
}

/** Where every copy of the API keeps what was registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
const NAME = 'fleet.open';
const ACCEPTED = 'accepted';
const MOST_STATE_CHARACTERS = 512;
const NO_SPAN: OpenSpan = { trace: undefined, end: () => undefined };

export class OpenSpans {
  readonly #api: TracingApi | undefined;

  /** Without a registered provider (`node --import ./tracing.mjs`) nothing would take the spans, and the API is not loaded. */
  static async registered(): Promise<OpenSpans> {
    if (!(REGISTERED in globalThis)) return new OpenSpans(undefined);
    return new OpenSpans(await import('@opentelemetry/api').catch(() => undefined));
  }

  constructor(api: TracingApi | undefined) {
    this.#api = api;
  }

  /** A caller asks for a channel. */
  ask(about: OpenAbout, sent?: Trace): OpenSpan {
    const api = this.#api;
    if (api === undefined) return NO_SPAN;
    const active = api.context.active();
    const parent = sent === undefined ? active : contextOf(api, sent);
    return parent === undefined || api.trace.getSpanContext(parent) === undefined
      ? NO_SPAN
      : begin(api, { about, parent, kind: api.SpanKind.CLIENT });
  }

  /** A machine is asked for one. */
  answer(about: OpenAbout, sent: Trace | undefined): OpenSpan {
    const api = this.#api;
    const parent = api === undefined || sent === undefined ? undefined : contextOf(api, sent);
    if (api === undefined || parent === undefined) return NO_SPAN;
    return begin(api, { about, parent, kind: api.SpanKind.SERVER });
  }
}

/** Undefined for what is no trace context. */
export function decodeTrace(value: unknown): Trace | undefined {
  const { traceparent, tracestate } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof traceparent !== 'string' || idsOf(traceparent) === undefined) return undefined;
  const hasState = typeof tracestate === 'string' && tracestate.length <= MOST_STATE_CHARACTERS;
  return { traceparent, ...(hasState ? { tracestate } : {}) };
}

function begin(
  api: TracingApi,
  {
    about,
    parent,
    kind,
  }: { readonly about: OpenAbout; readonly parent: TracingContext; readonly kind: number },
): OpenSpan {
  const attributes = {
    'exec_fleet.environment': about.environment,
    'exec_fleet.resumes': about.resumes,
    ...(about.executor === undefined ? {} : { 'exec_fleet.executor': about.executor }),
  };
  const span = api.trace.getTracer('@codex/exec-fleet').startSpan(NAME, { kind, attributes }, parent);
  let hasEnded = false;
  return {
    trace: traceOf(span),
    end(result, executor) {
      if (hasEnded) return;
      hasEnded = true;
      span.setAttribute('exec_fleet.result', result);
      if (executor !== undefined) span.setAttribute('exec_fleet.executor', executor);
      if (result !== ACCEPTED) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function traceOf(span: TracingSpan): Trace {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const flags = (traceFlags & 0xff).toString(16).padStart(2, '0');
  const tracestate = traceState?.serialize() ?? '';
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate === '' ? {} : { tracestate }) };
}

function contextOf(api: TracingApi, { traceparent, tracestate }: Trace): TracingContext | undefined {
  const ids = idsOf(traceparent);
  if (ids === undefined) return undefined;
  const remote: TracingSpanContext = {
    ...ids,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: api.createTraceState(tracestate) }),
  };
  return api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
}

function idsOf(
  traceparent: string,
): Pick<TracingSpanContext, 'traceId' | 'spanId' | 'traceFlags'> | undefined {
  const [, traceId, spanId, flags = '0'] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}
