// The OpenTelemetry API, where tracing is set up in this process (`node --import ./tracing.mjs …`). Without that nothing
// would take the spans, and it is not looked for.
import type { OpenTelemetryApi } from '@codex/exec-server-core';

/** Where every copy of the API keeps what was registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

export async function registeredOpenTelemetry(): Promise<OpenTelemetryApi | undefined> {
  if (!(REGISTERED in globalThis)) return undefined;
  try {
    return await import('@opentelemetry/api');
  } catch {
    return undefined;
  }
}
