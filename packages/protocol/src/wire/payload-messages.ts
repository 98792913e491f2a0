// Messages that carry file or process bytes, as segments: the bytes are base64-encoded once, by the transport.
import type {
  HttpBodyDeltaNotification,
  HttpRequestResult,
  OutputChunk,
  ProcessReadResult,
  ProcessSnapshotResult,
} from '../generated/wire-types.js';
import { type WireMessage, WireResult, type WireSegments } from './wire-message.js';

export interface OutputEvent {
  readonly processId: string;
  readonly seq: number;
  readonly stream: OutputChunk['stream'];
}

export interface OutputBlock {
  readonly seq: number;
  readonly stream: OutputChunk['stream'];
  readonly bytes: Uint8Array;
}

export function encodeOutputNotification(event: OutputEvent, bytes: Uint8Array): WireMessage {
  const id = JSON.stringify(event.processId);
  return [
    `{"method":"process/output","params":{"processId":${id},"seq":${event.seq},"stream":"${event.stream}","chunk":"`,
    bytes,
    '"}}',
  ];
}

/** `{"<name>":"<bytes>", …rest}`; members of `rest` that are undefined are left out. */
function withPayload(name: string, bytes: Uint8Array, rest: object): WireSegments {
  const tail = JSON.stringify(rest).slice(1);
  return [`{"${name}":"`, bytes, tail === '}' ? '"}' : `",${tail}`];
}

/** The reply to `process/read`. `exited`, `nextSeq` and the rest are as in `ProcessReadResult`. */
export function readResultWithChunks(
  blocks: readonly OutputBlock[],
  state: Omit<ProcessReadResult, 'chunks'>,
): WireResult {
  const segments: (string | Uint8Array)[] = [];
  let text = '{"chunks":[';
  for (const [index, { seq, stream, bytes }] of blocks.entries()) {
    text += `${index === 0 ? '' : ','}{"seq":${seq},"stream":"${stream}","chunk":"`;
    segments.push(text, bytes);
    text = '"}';
  }
  segments.push(`${text}],${JSON.stringify(state).slice(1)}`);
  return new WireResult(segments);
}

export interface SnapshotBytes {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly terminal: Uint8Array;
}

export function snapshotResult(
  bytes: SnapshotBytes,
  state: Omit<ProcessSnapshotResult, keyof SnapshotBytes>,
): WireResult {
  return new WireResult([
    '{"stdout":"',
    bytes.stdout,
    '","stderr":"',
    bytes.stderr,
    '","terminal":"',
    bytes.terminal,
    `",${JSON.stringify(state).slice(1)}`,
  ]);
}

/** The reply to `fs/readFile`. */
export function fileResult(bytes: Uint8Array): WireResult {
  return new WireResult(withPayload('dataBase64', bytes, {}));
}

/** The reply to `fs/readBlock`. */
export function blockResult(bytes: Uint8Array, eof: boolean): WireResult {
  return new WireResult(withPayload('chunk', bytes, { eof }));
}

/** The reply to `http/request`. */
export function httpResult(bytes: Uint8Array, response: Omit<HttpRequestResult, 'bodyBase64'>): WireResult {
  return new WireResult(withPayload('bodyBase64', bytes, response));
}

export function encodeHttpBodyDelta(
  delta: Omit<HttpBodyDeltaNotification, 'deltaBase64'>,
  bytes: Uint8Array,
): WireMessage {
  const [head = '', ...rest] = withPayload('deltaBase64', bytes, delta);
  const tail = rest.pop();
  return [`{"method":"http/request/bodyDelta","params":${head}`, ...rest, `${tail}}`];
}
