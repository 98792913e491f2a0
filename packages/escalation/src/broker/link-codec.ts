// The records between a broker and this server. Twin: native/broker/server-link.h and decide.c.
import { EscalationError } from '../escalation-error.js';
import type {
  AskedProgram,
  ExecDecision,
  ExecEvent,
  ExecRequest,
  OpenedFile,
  PathStep,
  ProcessIdentity,
  RefusalReason,
  UnopenedReason,
} from './exec-request.js';
import { RecordReader } from './record-reader.js';
import { RecordWriter } from './record-writer.js';

const TOLD = { hello: 1, request: 2, ran: 3, exited: 4, abandoned: 5, refused: 6, goodbye: 7 } as const;
const ORDER = { decision: 16, end: 17 } as const;
const ACTIONS = { run: 0, deny: 1, escalate: 2, escalateAsCalled: 3 } as const;
const FLAG = { startUp: 1, lossy: 2, workdirOnHost: 4 } as const;
const ON_HOST = 256;
const IS_NAME = 512;
const KINDS = ['folder', 'link', 'file'] as const;
const UNOPENED: readonly UnopenedReason[] = [
  'missing',
  'denied',
  'proc',
  'depth',
  'not-a-file',
  'process-gone',
];
const REFUSALS: readonly RefusalReason[] = ['too-many', 'too-slow', 'too-large', 'malformed', 'stranger'];

export type BrokerRecord =
  | { readonly type: 'hello'; readonly token: string }
  /** It ends by itself: no process can ask any more. */
  | { readonly type: 'goodbye' }
  | { readonly type: 'request'; readonly request: Omit<ExecRequest, 'callId'> }
  | { readonly type: 'event'; readonly event: ExecEvent };

/** Of a whole record, without its length. */
export function decodeRecord(bytes: Buffer): BrokerRecord {
  const reader = new RecordReader(bytes);
  const record = decode(reader, reader.u32());
  reader.end();
  return record;
}

function decode(reader: RecordReader, type: number): BrokerRecord {
  switch (type) {
    case TOLD.hello:
      return { type: 'hello', token: reader.string() };
    case TOLD.goodbye:
      return { type: 'goodbye' };
    case TOLD.request:
      return { type: 'request', request: readRequest(reader) };
    case TOLD.ran:
      return event(readRan(reader));
    case TOLD.exited:
      return event(readExited(reader));
    case TOLD.abandoned:
      return event({ type: 'abandoned', requestId: reader.u32() });
    case TOLD.refused:
      return event({ type: 'refused', reason: REFUSALS[reader.u32()] ?? 'malformed' });
    default:
      throw new EscalationError('BAD_RECORD', `the broker sent a record of the unknown type ${type}`);
  }
}

function event(told: ExecEvent): BrokerRecord {
  return { type: 'event', event: told };
}

/** What a request and an exec that was not asked about have in common. */
function readExec(reader: RecordReader) {
  const requestId = reader.u32();
  const process = readProcess(reader);
  const flags = reader.u32();
  const file = reader.string();
  const workdir = reader.string();
  const argv = reader.list(() => reader.string());
  return { requestId, process, flags, file, workdir, argv };
}

function readProcess(reader: RecordReader): ProcessIdentity {
  const pid = reader.u32();
  const startTime = reader.u64();
  return { pid, startTime: startTime === 0n ? '' : String(startTime) };
}

function readRequest(reader: RecordReader): Omit<ExecRequest, 'callId'> {
  const { flags, workdir, ...exec } = readExec(reader);
  const environment = new Map(reader.list(() => [reader.string(), reader.string()] as const));
  return {
    ...exec,
    workdir: { path: workdir, isOnHost: (flags & FLAG.workdirOnHost) !== 0 },
    environment,
    isStartUp: (flags & FLAG.startUp) !== 0,
    isLossy: (flags & FLAG.lossy) !== 0,
    program: readProgram(reader),
  };
}

function readProgram(reader: RecordReader): AskedProgram {
  const state = reader.u32();
  const [program, ...interpreters] = reader.list(() => readFile(reader));
  if (state === 0 && program !== undefined) return { state: 'opened', files: [program, ...interpreters] };
  return { state: 'unopened', reason: UNOPENED[state - 1] ?? 'denied' };
}

function readFile(reader: RecordReader): OpenedFile {
  const givenPath = reader.string();
  const realPath = reader.string();
  return { realPath, givenPath, steps: reader.list(() => readStep(reader)) };
}

function readStep(reader: RecordReader): PathStep {
  const bits = reader.u32();
  const device = reader.u64();
  const inode = reader.u64();
  const kind = KINDS[bits % ON_HOST] ?? 'file';
  const isOnHost = (bits & ON_HOST) !== 0;
  const isName = (bits & IS_NAME) !== 0;
  return { path: reader.string(), kind, device, inode, isOnHost, isName };
}

function readRan(reader: RecordReader): ExecEvent {
  const { flags, ...exec } = readExec(reader);
  return { type: 'ran-unasked', ...exec, isStartUp: (flags & FLAG.startUp) !== 0 };
}

function readExited(reader: RecordReader): ExecEvent {
  const requestId = reader.u32();
  const exitCode = reader.u32();
  const error = reader.string();
  return { type: 'exited', requestId, exitCode, ...(error === '' ? {} : { error }) };
}

export function encodeDecision(requestId: number, decision: ExecDecision): Buffer {
  const writer = new RecordWriter();
  writer.u32(ORDER.decision);
  writer.u32(requestId);
  writer.u32(ACTIONS[actionOf(decision)]);
  if (decision.action === 'deny') writer.string(decision.reason.replaceAll('\0', '\ufffd'));
  if (decision.action === 'escalate') {
    writer.strings(Object.entries(decision.environment).map(([name, value]) => `${name}=${value}`));
  }
  return withLength(writer.bytes());
}

function actionOf(decision: ExecDecision): keyof typeof ACTIONS {
  return decision.action === 'escalate' && decision.isAsCalled === true
    ? 'escalateAsCalled'
    : decision.action;
}

export function encodeEnd(): Buffer {
  const writer = new RecordWriter();
  writer.u32(ORDER.end);
  return withLength(writer.bytes());
}

function withLength(body: Buffer): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}
