// `process/list`: every process in one reply that is never too large. Ids and states are shown whole; directories and
// command lines share evenly what room is left.
import { formatPath, type ProcessSummary, parsePathInput } from '@codex/exec-protocol';
import { maskedCommand } from '../../journal/mask-secrets.js';
import { exitDetails } from '../end/command-exit.js';
import type { ManagedProcess } from '../managed-process.js';
import { CUT_MARK, listedCommand, shortened } from './listed-command.js';

/** Replies stay below 8 MiB, which clients take; the rest is for what is around the list. */
const MAX_LIST_BYTES = 7.5 * 1024 * 1024;
/** As a URI; anything longer names no directory, and its start is about to fail. */
const LONGEST_DIRECTORY = 3 * 4096;
const MAX_NAME_LENGTH = 200;
/** Room for the mark that something is missing. */
const MARK_BYTES = jsonBytes(CUT_MARK) + 1;

export interface ListOptions {
  /** What the reply adds to each. */
  readonly aroundBytes?: number;
  /** What these may take of the reply: all of it, or a part where they are a part of the list. */
  readonly share?: number;
}

export function listProcesses(
  processes: readonly ManagedProcess[],
  { aroundBytes = 0, share: shareOfReply = 1 }: ListOptions = {},
): ProcessSummary[] {
  const maxBytes = MAX_LIST_BYTES * shareOfReply;
  const { shown, usedBytes } = newestThatFit(processes, aroundBytes, maxBytes);
  const share = Math.floor((maxBytes - usedBytes) / Math.max(1, shown.length));
  return shown.map((process) => {
    const cwd = fitted(cwdOf(process), Math.floor(share / 2));
    return { ...bareSummary(process), cwd, argv: fittedCommand(process, share - jsonBytes(cwd)) };
  });
}

/** One alone. */
export function describeProcess(process: ManagedProcess): ProcessSummary {
  return {
    ...bareSummary(process),
    cwd: cwdOf(process),
    argv: maskedCommand(listedCommand(process.request.argv)),
  };
}

/** All of them, unless not even their ids fit: then the oldest are left out. */
function newestThatFit(
  processes: readonly ManagedProcess[],
  aroundBytes: number,
  maxBytes: number,
): { shown: ManagedProcess[]; usedBytes: number } {
  const shown: ManagedProcess[] = [];
  let usedBytes = 0;
  for (const process of processes.toReversed()) {
    // What a list shows at least of a directory and a command line is the mark.
    const bytes = jsonBytes(bareSummary(process)) + 2 * MARK_BYTES + 1 + aroundBytes;
    if (usedBytes + bytes > maxBytes) break;
    usedBytes += bytes;
    shown.push(process);
  }
  return { shown: shown.reverse(), usedBytes };
}

function bareSummary(process: ManagedProcess): ProcessSummary {
  const { log } = process.output;
  const size = process.sizes.latest;
  return {
    processId: process.id,
    pid: process.pid,
    argv: [],
    cwd: '',
    tty: process.request.io.type === 'pty',
    state: process.state,
    exitCode: process.exit?.exitCode ?? null,
    startedAtMs: process.startedAtMs,
    nextSeq: log.nextSeq,
    firstSeq: log.firstSeq,
    ...(size === undefined ? {} : { rows: size.rows, cols: size.cols }),
    sandboxType: process.sandboxType,
    sandboxDenied: process.exit?.sandboxDenied ?? false,
    ...exitDetails(process.exit ?? {}),
    endedAtMs: log.exited?.atMs ?? null,
    stalled: process.output.isStalled,
    alive: !process.isGone,
    ...metadataOf(process),
  };
}

/** What the client says that it is for; as long as it likes. */
function metadataOf({ request: { metadata } }: ManagedProcess): Pick<ProcessSummary, 'metadata'> {
  if (metadata == null) return {};
  const short = (name: string | null | undefined) => (name == null ? null : shortened(name, MAX_NAME_LENGTH));
  return { metadata: { threadId: short(metadata.threadId), toolCallId: short(metadata.toolCallId) } };
}

function cwdOf({ request: { cwd, cwdText } }: ManagedProcess): string {
  return shortened(formatPath(cwd, parsePathInput(cwdText).form), LONGEST_DIRECTORY);
}

function fittedCommand({ request }: ManagedProcess, maxBytes: number): string[] {
  const shown: string[] = [];
  let roomBytes = maxBytes;
  for (const argument of listedCommand(request.argv)) {
    const text = fitted(argument, roomBytes - MARK_BYTES);
    shown.push(text);
    roomBytes -= jsonBytes(text) + 1;
    if (text !== argument) break;
  }
  return shown;
}

/** As much of the text as takes at most so many bytes in JSON, but at least the mark. */
function fitted(text: string, maxBytes: number): string {
  // No character takes more than six bytes, so most texts need not be measured.
  if (text.length * 6 + 2 <= maxBytes) return text;
  let cut = text;
  for (let bytes = jsonBytes(cut); bytes > maxBytes && cut !== CUT_MARK; bytes = jsonBytes(cut)) {
    const length = Math.floor(cut.length * Math.max(0, maxBytes / bytes)) - 2;
    cut = length > 0 ? shortened(text, length) : CUT_MARK;
  }
  return cut;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
