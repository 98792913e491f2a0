// HTTP, websocket frames, stdio and the server program itself.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';

export const TRANSPORT = [
  {
    id: 'transport.http.readyz',
    source,
    behaviour: '`GET /readyz` answers 200 with an empty body, HEAD too.',
  },
  { id: 'transport.http.readyz-method', source, behaviour: '`POST /readyz` answers 405.' },
  {
    id: 'transport.http.healthz',
    source: 'this project: docs/differences.md',
    behaviour: '`GET /healthz` answers 200.',
    needs: ['extension:healthz'],
  },
  {
    id: 'transport.http.other-path',
    source,
    behaviour: 'Any other path answers 404, to a websocket upgrade too.',
  },
  {
    id: 'transport.http.plain-root',
    source,
    behaviour: 'A request on `/` that is no upgrade is refused with a 4xx status.',
  },
  { id: 'transport.http.query-ignored', source, behaviour: 'A query on `/` does not prevent the upgrade.' },
  {
    id: 'transport.http.garbage',
    source,
    behaviour: 'Bytes that are no HTTP request end that connection only.',
  },
  {
    id: 'transport.upgrade.origin',
    source,
    behaviour: 'An upgrade with any `Origin` header, `null` and empty ones too, is refused with 403.',
  },
  {
    id: 'transport.http.readyz-origin',
    source,
    behaviour: '`/readyz` with an `Origin` header is refused with 403.',
  },
  {
    id: 'transport.upgrade.foreign-host',
    source: 'this project: docs/differences.md',
    behaviour: 'An upgrade whose `Host` names another machine is refused (DNS rebinding).',
  },
  {
    id: 'transport.upgrade.localhost',
    source,
    behaviour: 'An upgrade whose `Host` is `localhost` with the port is accepted.',
  },
  {
    id: 'transport.upgrade.key-required',
    source,
    behaviour: 'An upgrade without `Sec-WebSocket-Key` is refused with 400.',
  },
  {
    id: 'transport.upgrade.version',
    source,
    behaviour: 'An upgrade of another websocket version is refused with a 4xx status.',
  },
  {
    id: 'transport.upgrade.no-subprotocol',
    source,
    behaviour: 'No subprotocol is chosen, even when the client offers some.',
  },
  {
    id: 'transport.upgrade.no-compression',
    source,
    behaviour: 'No compression is agreed to, even when the client offers it.',
  },
  {
    id: 'transport.frame.binary',
    source,
    behaviour: 'A binary frame that holds JSON is taken like a text frame, and answered with text.',
  },
  {
    id: 'transport.frame.ping',
    source,
    behaviour: 'A ping is answered with a pong that carries the same bytes.',
  },
  { id: 'transport.frame.unasked-pong', source, behaviour: 'A pong that nobody asked for is ignored.' },
  {
    id: 'transport.frame.fragments',
    source,
    behaviour: 'A message in fragments, with a ping between them, is one message.',
  },
  {
    id: 'transport.frame.byte-by-byte',
    source,
    behaviour: 'A frame that arrives one byte at a time is one message.',
  },
  { id: 'transport.frame.coalesced', source, behaviour: 'Many frames in one TCP segment are many messages.' },
  { id: 'transport.frame.large-fragmented', source, behaviour: 'A message of 20 MiB in fragments is taken.' },
  { id: 'transport.frame.unmasked', source, behaviour: 'An unmasked frame ends its own connection only.' },
  {
    id: 'transport.frame.reserved',
    source,
    behaviour: 'A reserved bit or opcode ends its own connection only.',
  },
  {
    id: 'transport.frame.continuation-first',
    source,
    behaviour: 'A continuation without a beginning ends its own connection only.',
  },
  {
    id: 'transport.frame.long-control',
    source,
    behaviour: 'A control frame over 125 bytes ends its own connection only.',
  },
  {
    id: 'transport.frame.bad-utf8',
    source: 'this project: docs/differences.md',
    behaviour: 'Text that is not UTF-8 ends its own connection with close code 1007.',
  },
  {
    id: 'transport.frame.oversize',
    source: 'this project: docs/differences.md',
    behaviour: 'A message over 64 MiB ends its own connection with close code 1009.',
  },
  {
    id: 'transport.frame.oversize-announced',
    source: 'this project: docs/differences.md',
    behaviour:
      'A frame whose header announces more than 64 MiB ends its connection with 1009 before its bytes arrive.',
  },
  {
    id: 'transport.frame.oversize-fragments',
    source: 'this project: docs/differences.md',
    behaviour: 'Fragments that add up to more than 64 MiB end their connection with close code 1009.',
  },
  {
    id: 'transport.connection.half-open',
    source,
    behaviour: 'Two hundred connections that never finish their HTTP request do not stop service.',
  },
  {
    id: 'transport.connection.many',
    source,
    behaviour: 'Fifty connections at once each get their own answers.',
  },
  {
    id: 'transport.connection.reset',
    source,
    behaviour: 'Connections that are reset in the middle of a request leave the server in service.',
  },
  {
    id: 'transport.connection.unread',
    source,
    behaviour: 'A client that does not read its answers does not stop others.',
  },
  {
    id: 'transport.stdio.handshake',
    source,
    behaviour:
      'Over stdio each message is one line, and the handshake and requests work as over a websocket.',
    needs: ['stdio'],
  },
  {
    id: 'transport.stdio.blank-lines',
    source,
    behaviour: 'Blank lines on stdin are ignored, and CRLF ends a line as LF does.',
    needs: ['stdio'],
  },
  {
    id: 'transport.stdio.malformed',
    source,
    behaviour:
      'A malformed line is answered with id -1, -32600 and a text that names stdio; the next line is read.',
    needs: ['stdio'],
  },
  {
    id: 'transport.stdio.end',
    source,
    behaviour: 'The end of stdin ends the server with exit code 0 and its processes with it.',
    needs: ['stdio', 'shared-host'],
  },
  {
    id: 'transport.listen.address',
    source,
    behaviour:
      'The server prints its `ws://` address as one line on stdout, with the real port for port 0, and accepts at once.',
    needs: ['own-process'],
  },
  {
    id: 'transport.listen.invalid',
    source,
    behaviour:
      'A `--listen` URL that is no websocket or stdio address ends the program with an error that quotes it.',
    needs: ['own-process'],
  },
  {
    id: 'transport.signal.term',
    source,
    behaviour: 'SIGTERM ends the server with exit code 0, and its processes with it.',
    needs: ['own-process', 'shared-host'],
  },
  {
    id: 'transport.signal.int',
    source,
    behaviour: 'SIGINT ends the server with exit code 0.',
    needs: ['own-process'],
  },
] as const satisfies readonly Requirement[];
