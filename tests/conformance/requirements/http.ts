// Requests that the server makes from its machine.
import type { Requirement } from './requirement.js';

const FROM_CODEX = { source: 'exec-server 0.169.0', needs: ['shared-host'] } as const;

export const HTTP = [
  {
    ...FROM_CODEX,
    id: 'http.request.exchange',
    behaviour:
      '`http/request` sends method, headers and body, and answers with status, lower-case header names and body.',
  },
  {
    ...FROM_CODEX,
    id: 'http.request.redirect-followed',
    behaviour: 'A redirect is followed; after 303 with GET and without the body.',
  },
  {
    ...FROM_CODEX,
    id: 'http.request.redirect-stopped',
    behaviour: 'With `redirectPolicy: "stop"` the redirect itself is the answer.',
  },
  {
    ...FROM_CODEX,
    id: 'http.request.redirect-secrets',
    behaviour: 'A redirect to another origin does not carry the authorization header along.',
  },
  {
    ...FROM_CODEX,
    id: 'http.request.bad-params',
    behaviour: 'A wrong method, URL, scheme, header or base64 body is -32602 with a text that names it.',
  },
  {
    ...FROM_CODEX,
    id: 'http.request.failed',
    behaviour:
      'A server that cannot be reached, or not within `timeoutMs`, is -32603 `http/request failed: …`.',
  },
  {
    ...FROM_CODEX,
    id: 'http.request.body-failed',
    behaviour: 'A body that breaks off is -32603 `failed to read http/request response body: …`.',
  },
  {
    source: 'exec-server 0.169.0',
    needs: ['shared-host', 'planted-environment'],
    id: 'http.request.header-variable',
    behaviour:
      'A header may carry a variable of the server behind its value; a missing or protected one is refused.',
  },
  {
    ...FROM_CODEX,
    id: 'http.stream.deltas',
    behaviour:
      'With `streamResponse` the reply has no body and is followed by deltas with seq 1, 2, … and an empty last one with `done`.',
  },
  {
    ...FROM_CODEX,
    id: 'http.stream.error',
    behaviour: 'A stream that breaks off ends with `done` and an error.',
  },
  {
    ...FROM_CODEX,
    id: 'http.stream.id-active',
    behaviour:
      'The id of a running stream is refused for another stream with -32602, and free after its end.',
  },
] as const satisfies readonly Requirement[];
