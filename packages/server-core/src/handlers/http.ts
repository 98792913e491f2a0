// The handler of `http/request`.
import { type Clock, httpResult, type ParamsOf } from '@codex/exec-protocol';
import { BodyStream } from '../http/body-stream.js';
import { readBody } from '../http/buffered-body.js';
import { ConnectionRequests } from '../http/connection-requests.js';
import { HttpClient } from '../http/http-client.js';
import { bodyErrorReply, reasonOf, sendErrorReply } from '../http/http-error.js';
import type { HttpLimits } from '../http/http-limits.js';
import { outgoingRequest } from '../http/outgoing-request.js';
import { responseHeaders } from '../http/request-headers.js';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import type { Handlers, RequestContext, SliceKey } from './handler-table.js';

export interface HttpHandlerOptions {
  readonly http: HttpLimits;
  readonly env: ServerEnvironment;
  readonly clock: Clock;
}

export function httpHandlers({ http: limits, env, clock }: HttpHandlerOptions): Handlers {
  const client = new HttpClient(env);
  const slice: SliceKey<ConnectionRequests> = {
    create: ({ signal }) => {
      const requests = new ConnectionRequests(limits, clock);
      if (signal.aborted) requests.end();
      else signal.addEventListener('abort', () => requests.end(), { once: true });
      return requests;
    },
  };

  const handleHttpRequest = async (params: ParamsOf<'http/request'>, context: RequestContext) => {
    const { requestId, timeoutMs, redirectPolicy } = params;
    const isStreamed = params.streamResponse ?? false;
    const outgoing = outgoingRequest(params, env, context.payload?.bytes);
    const requests = context.connection.slice(slice);
    const active = requests.begin({
      streamId: isStreamed ? requestId : undefined,
      timeoutMs: timeoutMs ?? undefined,
    });
    // An abort shows as a broken connection; the client is told why it was aborted.
    const cause = (error: unknown): unknown => (active.signal.aborted ? active.signal.reason : error);

    const response = await client
      .send(outgoing, { followRedirects: redirectPolicy !== 'stop', signal: active.signal })
      .catch((error: unknown) => {
        active.finish();
        throw sendErrorReply(cause(error));
      });
    const head = { status: response.statusCode ?? 0, headers: responseHeaders(response.rawHeaders) };

    if (isStreamed) {
      const explain = (error: unknown) => reasonOf(cause(error));
      const body = new BodyStream({ requestId, response, explain, onEnd: active.finish });
      active.signal.addEventListener('abort', () => response.destroy(), { once: true });
      context.afterReply(() => body.start((source) => context.connection.peer.addBulkSource(source)));
      return httpResult(new Uint8Array(0), head);
    }

    const { maxHttpBodyBytes: maxBytes } = limits;
    const body = await readBody(response, { maxBytes, room: requests.room })
      .catch((error: unknown) => {
        throw bodyErrorReply(cause(error));
      })
      .finally(active.finish);
    context.afterReply(body.release);
    return httpResult(body.bytes, head);
  };

  return { 'http/request': handleHttpRequest };
}
