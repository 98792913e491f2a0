// Messages that carry file or process bytes, as segments: the bytes are base64-encoded once, by the transport.
import type {
  FsReadTreeResult,
  HttpBodyDeltaNotification,
  HttpRequestResult,
  ObserveReadResult,
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

export interface WatchedOutput {
  readonly watch: string;
  readonly seq: number;
  readonly atMs: number;
  readonly stream: OutputChunk['stream'];
}

export function encodeWatchedOutput(event: WatchedOutput, bytes: Uint8Array): WireMessage {
  const { watch, seq, atMs, stream } = event;
  const head = `{"method":"observe/output","params":{"watch":${JSON.stringify(watch)}`;
  return [`${head},"seq":${seq},"atMs":${atMs},"stream":"${stream}","chunk":"`, bytes, '"}}'];
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
  return withChunks(blocks, ({ seq, stream }) => `"seq":${seq},"stream":"${stream}"`, state);
}

/** The reply to `observe/read`. */
export function observeReadResult(
  blocks: readonly (OutputBlock & { readonly atMs: number })[],
  state: Omit<ObserveReadResult, 'chunks'>,
): WireResult {
  const members = ({ seq, atMs, stream }: (typeof blocks)[number]) =>
    `"seq":${seq},"atMs":${atMs},"stream":"${stream}"`;
  return withChunks(blocks, members, state);
}

function withChunks<Block extends OutputBlock>(
  blocks: readonly Block[],
  members: (block: Block) => string,
  state: object,
): WireResult {
  const segments: (string | Uint8Array)[] = [];
  let text = '{"chunks":[';
  for (const [index, block] of blocks.entries()) {
    text += `${index === 0 ? '' : ','}{${members(block)},"chunk":"`;
    segments.push(text, block.bytes);
    text = '"}';
  }
  segments.push(`${text}],${JSON.stringify(state).slice(1)}`);
  return new WireResult(segments);
}

/** The reply to `observe/readFile`. */
export function observedFileResult(bytes: Uint8Array, state: { size: number; eof: boolean }): WireResult {
  return new WireResult(withPayload('chunk', bytes, state));
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
export function fileResult(bytes: Uint8Array, onTaken?: () => void): WireResult {
  return new WireResult(withPayload('dataBase64', bytes, {}), onTaken);
}

/** The reply to `fs/readBlock`. */
export function blockResult(bytes: Uint8Array, eof: boolean, onTaken?: () => void): WireResult {
  return new WireResult(withPayload('chunk', bytes, { eof }), onTaken);
}

/** The reply to `fs/readTree`. */
export function treeResult(
  bytes: Uint8Array,
  tree: Omit<FsReadTreeResult, 'dataBase64'>,
  onTaken?: () => void,
): WireResult {
  return new WireResult(withPayload('dataBase64', bytes, tree), onTaken);
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
