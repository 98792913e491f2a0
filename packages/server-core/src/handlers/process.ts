// The handlers of `process/*`.
import {
  decodeBase64,
  emptyWriteId,
  explainBase64,
  invalidParams,
  type ParamsOf,
  type ProcessWriteResult,
  readResultWithChunks,
  sessionResumedElsewhere,
  snapshotResult,
  type WireResult,
} from '@codex/exec-protocol';
import { FILE_ORDER } from '../files/connection-files.js';
import { exitDetails } from '../process/end/command-exit.js';
import { MAX_WRITE_ID_LENGTH } from '../process/input/write-ids.js';
import type { ManagedProcess } from '../process/managed-process.js';
import type { ProcessLimits } from '../process/process-limits.js';
import { snapshotOutput } from '../process/read/output-snapshot.js';
import { listProcesses } from '../process/read/process-list.js';
import { type ReadOutcome, readProcess } from '../process/read/read-process.js';
import { waitForProcess } from '../process/read/wait-process.js';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { startProcess } from '../process/start/start-process.js';
import { normaliseStart, type StartRequest } from '../process/start/start-request.js';
import type { Session } from '../session/session.js';
import type { Handlers, RequestContext } from './handler-table.js';

export interface ProcessHandlerOptions {
  readonly process: ProcessLimits;
  readonly env: ServerEnvironment;
  /** Starts what serves the file requests of this session under this policy. */
  readonly warmFiles: (session: Session, sandbox: unknown) => void;
}

export function processHandlers(options: ProcessHandlerOptions): Handlers {
  const { process: limits, env: serverEnv, warmFiles } = options;
  return {
    'process/start': (params, context) => {
      const request = normaliseStart(params, { limits, serverEnv });
      const { session } = context;
      const { sandbox } = request;
      // A client that starts a sandboxed process soon reads and writes files under the same policy.
      if (sandbox !== null) context.afterReply(() => warmFiles(session, sandbox));
      return handleProcessStart(request, context);
    },
    'process/read': handleProcessRead,
    'process/write': handleProcessWrite,
    'process/closeStdin': ({ processId }, { session }) => {
      // At once, as writes are taken: one that comes later finds the input closed.
      session.processes.get(processId)?.input.end();
      return session.processes.actOnKnown(processId, () => ({}));
    },
    'process/resize': ({ processId, rows, cols }, { session }) =>
      session.processes.actOnKnown(processId, (process) => {
        process.resize(rows, cols);
        return {};
      }),
    'process/signal': ({ processId, signal }, { session }) =>
      session.processes.act(
        processId,
        (process) => {
          process.signal(signal === 'interrupt' ? 'SIGINT' : signal);
          return {};
        },
        () => ({}),
      ),
    'process/terminate': ({ processId, mode }, { session }) => {
      if (mode?.type === 'tree') return session.processes.endTree(processId).then((running) => ({ running }));
      // Answered without waiting for a start that is under way. One that waits for a profile is cancelled; any other still
      // takes place, as it came first, and its end follows at once; what the command does in between is done.
      return { running: session.processes.get(processId)?.terminate(mode ?? { type: 'force' }) ?? false };
    },
    'process/wait': ({ processId, until, timeoutMs }, { session, connection }) =>
      session.processes.actOnKnown(processId, (process) =>
        waitForProcess(process, {
          until: until ?? 'exited',
          timeoutMs: timeoutMs ?? undefined,
          signal: connection.signal,
        }),
      ),
    'process/snapshot': ({ processId }, { session }) =>
      session.processes.actOnKnown(processId, encodeSnapshot),
    'process/list': (_, { session }) => ({ processes: listProcesses(session.processes.list()) }),
  };
}

async function handleProcessStart(request: StartRequest, context: RequestContext) {
  const { session } = context;
  const earlierChanges = context.connection.slice(FILE_ORDER).settled();
  const { process, sandboxType } = await startProcess(session.processes, request, earlierChanges);
  context.afterReply(() => session.announce(process));
  return { processId: process.id, sandboxType };
}

function handleProcessRead(params: ParamsOf<'process/read'>, context: RequestContext) {
  const { session, connection } = context;
  return session.processes.actOnKnown(params.processId, (process): WireResult | Promise<WireResult> => {
    const isRecovery = session.recovery.isUnread(process);
    const outcome = readProcess(process, {
      afterSeq: params.afterSeq ?? 0,
      maxBytes: params.maxBytes ?? null,
      isRecovery,
      waitMs: params.waitMs ?? 0,
      signal: connection.signal,
    });
    if (isRecovery) {
      // A client that comes back says what it has.
      process.output.confirm((params.afterSeq ?? 0) + 1);
      // What the reply holds is not sent again; a read that waits leaves everything from here on to be sent.
      const { nextSeq } = outcome instanceof Promise ? process.output.log : outcome;
      if (outcome instanceof Promise) session.recovery.read(process, nextSeq);
      else context.afterReply(() => session.recovery.read(process, nextSeq));
    }
    // A reply in the same turn counts as unread before the next request is handled, so that requests wait for a reader.
    if (!(outcome instanceof Promise)) return encodeRead(outcome);
    return outcome.then((found) => {
      if (!session.isAttachedTo(connection)) throw sessionResumedElsewhere();
      return encodeRead(found);
    });
  });
}

function handleProcessWrite(
  { processId, chunk, writeId }: ParamsOf<'process/write'>,
  { session, payload }: RequestContext,
): ProcessWriteResult | Promise<ProcessWriteResult> {
  const bytes = payload?.bytes ?? decodeBase64(chunk);
  if (bytes === undefined) throw invalidParams(explainBase64(chunk));
  if (writeId === '') throw emptyWriteId();
  if (writeId != null && writeId.length > MAX_WRITE_ID_LENGTH) {
    throw invalidParams(`writeId must not exceed ${MAX_WRITE_ID_LENGTH} characters`);
  }
  const process = session.processes.get(processId);
  if (process === undefined) return { status: 'unknownProcess' };
  return writeInput(process, { bytes, writeId: writeId ?? null, onTaken: payload?.free });
}

interface Input {
  readonly bytes: Uint8Array;
  readonly writeId: string | null;
  readonly onTaken: (() => void) | undefined;
}

async function writeInput(
  process: ManagedProcess,
  { bytes, writeId, onTaken }: Input,
): Promise<ProcessWriteResult> {
  // Taken in order at once, even before the process runs; answered when it is known whether it does.
  const outcome = process.write(bytes, writeId, onTaken);
  if (process.isStarting && !(await process.started)) return { status: 'unknownProcess' };
  return { status: await outcome };
}

function encodeRead(outcome: ReadOutcome): WireResult {
  const { chunks, nextSeq, exited, exitCode, closed, failure, sandboxDenied, omitted } = outcome;
  return readResultWithChunks(chunks, {
    nextSeq,
    exited,
    exitCode,
    closed,
    failure,
    sandboxDenied,
    ...exitDetails(outcome),
    omitted,
  });
}

function encodeSnapshot(process: ManagedProcess): WireResult {
  const { stdout, stderr, terminal } = snapshotOutput(process.output.log);
  const omittedBytes = stdout.omittedBytes + stderr.omittedBytes + terminal.omittedBytes;
  return snapshotResult(
    { stdout: stdout.bytes, stderr: stderr.bytes, terminal: terminal.bytes },
    {
      truncated: omittedBytes > 0,
      omittedBytes,
      exitCode: process.exit?.exitCode ?? null,
      running: process.exit === undefined,
    },
  );
}
