// What is used of `@opentelemetry/api`, under types of its own: the package is optional, and everybody who compiles against ours
// would have to install it.

/** What was registered, and spans under way: made and read by the API only. */
export interface TracingContext {
  getValue(key: symbol): unknown;
}

export interface TraceState {
  serialize(): string;
}

export interface TracingSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean | undefined;
  readonly traceState?: TraceState | undefined;
}

export interface TracingSpan {
  spanContext(): TracingSpanContext;
  setAttribute(name: string, value: string | number | boolean): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

export interface TracingSpanOptions {
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface Tracer {
  startSpan(name: string, options?: TracingSpanOptions, parent?: TracingContext): TracingSpan;
}

/** `import * as api from '@opentelemetry/api'` */
export interface TracingApi {
  readonly ROOT_CONTEXT: TracingContext;
  readonly SpanKind: { readonly INTERNAL: number; readonly SERVER: number; readonly CLIENT: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly context: { active(): TracingContext };
  readonly trace: {
    getTracer(name: string, version?: string): Tracer;
    setSpan(context: TracingContext, span: TracingSpan): TracingContext;
    getSpanContext(context: TracingContext): TracingSpanContext | undefined;
    setSpanContext(context: TracingContext, spanContext: TracingSpanContext): TracingContext;
  };
  createTraceState(text?: string): TraceState;
}
