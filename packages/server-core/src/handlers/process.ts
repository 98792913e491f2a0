// `process/*`: between the wire and the session's processes.
import {
  decodeBase64,
  emptyWriteId,
  explainBase64,
  formatPath,
  invalidParams,
  type ParamsOf,
  type ProcessSummary,
  type ProcessWriteResult,
  parsePathInput,
  readResultWithChunks,
  sessionResumedElsewhere,
  snapshotResult,
  type WireResult,
} from '@codex/exec-protocol';
import { FILE_ORDER } from '../fs/connection-files.js';
import type { ServerEnvironment } from '../process/env-policy.js';
import type { ManagedProcess } from '../process/managed-process.js';
import { snapshotOutput } from '../process/output-snapshot.js';
import type { ProcessLimits } from '../process/process-limits.js';
import { type ReadOutcome, readProcess } from '../process/read-process.js';
import { startProcess } from '../process/start-process.js';
import { normaliseStart, type StartRequest } from '../process/start-request.js';
import { waitForProcess } from '../process/wait-process.js';
import type { Handlers, RequestContext } from './handler-table.js';

const MAX_LISTED_ARGUMENTS = 32;
const MAX_LISTED_LENGTH = 1024;

export interface ProcessHandlerOptions {
  readonly process: ProcessLimits;
  readonly env: ServerEnvironment;
}

export function processHandlers({ process: limits, env: serverEnv }: ProcessHandlerOptions): Handlers {
  return {
    'process/start': (params, context) =>
      handleProcessStart(normaliseStart(params, { limits, serverEnv }), context),
    'process/read': handleProcessRead,
    'process/write': handleProcessWrite,
    'process/closeStdin': ({ processId }, { session }) =>
      session.processes.actOnKnown(processId, (process) => {
        process.input.end();
        return {};
      }),
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
    'process/terminate': ({ processId, mode }, { session }) => ({
      // Not behind a start that is under way: it is ended before it can do anything.
      running: session.processes.get(processId)?.terminate(mode ?? { type: 'force' }) ?? false,
    }),
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
    'process/list': (_, { session }) => ({ processes: session.processes.list().map(summarise) }),
  };
}

async function handleProcessStart(request: StartRequest, context: RequestContext) {
  const { processes } = context.session;
  const earlierChanges = context.connection.slice(FILE_ORDER).settled();
  const { process, sandboxType } = await startProcess(processes, request, earlierChanges);
  context.afterReply(() => processes.announce(process));
  return { processId: process.id, sandboxType };
}

function handleProcessRead(params: ParamsOf<'process/read'>, context: RequestContext) {
  const { session, connection } = context;
  return session.processes.actOnKnown(params.processId, async (process) => {
    const isRecovery = session.processes.isRecovering(process);
    const outcome = readProcess(process, {
      afterSeq: params.afterSeq ?? 0,
      maxBytes: params.maxBytes ?? null,
      waitMs: params.waitMs ?? 0,
      signal: connection.signal,
    });
    if (isRecovery) {
      // What the reply holds is not sent again; a read that waits leaves everything from here on to be sent.
      const { nextSeq } = outcome instanceof Promise ? process.output.log : outcome;
      if (outcome instanceof Promise) session.processes.recovered(process, nextSeq);
      else context.afterReply(() => session.processes.recovered(process, nextSeq));
    }
    const found = await outcome;
    if (!session.isAttachedTo(connection)) throw sessionResumedElsewhere();
    return encodeRead(found);
  });
}

function handleProcessWrite(
  { processId, chunk, writeId }: ParamsOf<'process/write'>,
  { session }: RequestContext,
): ProcessWriteResult | Promise<ProcessWriteResult> {
  const bytes = decodeBase64(chunk);
  if (bytes === undefined) throw invalidParams(explainBase64(chunk));
  if (writeId === '') throw emptyWriteId();
  const process = session.processes.get(processId);
  if (process === undefined) return { status: 'unknownProcess' };
  return writeInput(process, bytes, writeId ?? null);
}

async function writeInput(
  process: ManagedProcess,
  bytes: Uint8Array,
  writeId: string | null,
): Promise<ProcessWriteResult> {
  // Taken in order at once, even before the process runs; answered when it is known whether it does.
  const outcome = process.write(bytes, writeId);
  if (process.isStarting && !(await process.started)) return { status: 'unknownProcess' };
  return { status: await outcome };
}

function encodeRead(outcome: ReadOutcome): WireResult {
  const { chunks, nextSeq, exited, exitCode, closed, failure, sandboxDenied, omitted } = outcome;
  return readResultWithChunks(chunks, { nextSeq, exited, exitCode, closed, failure, sandboxDenied, omitted });
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

function summarise(process: ManagedProcess): ProcessSummary {
  const { argv, cwd, cwdText, io } = process.request;
  return {
    processId: process.id,
    pid: process.pid,
    argv: abbreviated(argv),
    cwd: formatPath(cwd, parsePathInput(cwdText).form),
    tty: io.type === 'pty',
    state: process.state,
    exitCode: process.exit?.exitCode ?? null,
    startedAtMs: process.startedAtMs,
    nextSeq: process.output.log.nextSeq,
  };
}

/** Command lines can be megabytes long and a session can have a thousand: a list has to fit into one reply. */
function abbreviated(argv: readonly string[]): string[] {
  const shown = argv
    .slice(0, MAX_LISTED_ARGUMENTS)
    .map((argument) =>
      argument.length > MAX_LISTED_LENGTH ? `${argument.slice(0, MAX_LISTED_LENGTH)}…` : argument,
    );
  return argv.length > MAX_LISTED_ARGUMENTS ? [...shown, '…'] : shown;
}
