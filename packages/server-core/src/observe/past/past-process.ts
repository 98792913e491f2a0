// A process that the server has let go of, as observers may still see it: how it ended, and the last part of its output.
// It is a copy. Nothing of the process, its session or its log lives on because of it.
import type { ProcessSummary } from '@codex/exec-protocol';
import type { ManagedProcess } from '../../process/managed-process.js';
import { describeProcess } from '../../process/read/process-list.js';
import { TerminalSizes } from '../../process/read/terminal-sizes.js';
import { LogTail, seqForTail } from '../watch/watched-log.js';

/** What is kept of the sizes of a terminal; each is a few numbers. */
const MAX_SIZES = 32;

export class PastProcess {
  readonly session: string;
  readonly id: string;
  readonly clientName: string;
  readonly summary: ProcessSummary;
  readonly output: { readonly log: LogTail };
  readonly sizes = new TerminalSizes();
  readonly request: Pick<ManagedProcess['request'], 'sandbox' | 'cwd'>;
  readonly sandboxType: ManagedProcess['sandboxType'];
  readonly exit: ManagedProcess['exit'];
  /** Nothing changes any more, so there is nothing to notify of. */
  readonly watchers = { add: () => undefined, delete: () => undefined };
  readonly isPast = true;

  constructor(process: ManagedProcess, clientName: string, tailBytes: number) {
    const { log } = process.output;
    this.session = process.session;
    this.id = process.id;
    this.clientName = clientName;
    // The block that reaches back beyond the limit is kept whole: the newest output may be one block, and large.
    this.output = { log: new LogTail(log, seqForTail(log, tailBytes) - 1) };
    for (const size of process.sizes.last(MAX_SIZES)) this.sizes.add(size);
    this.request = { sandbox: process.request.sandbox, cwd: process.request.cwd };
    this.sandboxType = process.sandboxType;
    this.exit = process.exit;
    // What was still running is about to be ended with its session.
    this.summary = {
      ...describeProcess(process),
      firstSeq: this.output.log.firstSeq,
      endedAtMs: log.exited?.atMs ?? Date.now(),
      state: 'closed',
      stalled: false,
      alive: false,
    };
  }

  get isClosed(): boolean {
    return true;
  }
}
