// Turns decisions and events of the broker into audit lines. The line of what runs outside waits for its exit code.
import type { ExecEvent, ExecRequest } from '../broker/exec-request.js';
import type { DecidedExec } from '../decide/decide-exec.js';
import type { AuditLog } from './audit-log.js';
import type { ExecRecord } from './audit-record.js';
import { boundedPath, boundedWords } from './bounded-words.js';

const DENIED_EXIT = 1;

export class ExecRecorder {
  readonly #call: string;
  readonly #log: AuditLog;
  readonly #running = new Map<number, ExecRecord>();

  constructor(call: string, log: AuditLog) {
    this.#call = call;
    this.#log = log;
  }

  decided(request: ExecRequest, { decision, reason, matchedRules, asked }: DecidedExec): void {
    const { program, file, argv, workdir, requestId } = request;
    const record: ExecRecord = {
      event: 'exec',
      call: this.#call,
      exec: requestId,
      program: boundedPath(program.state === 'opened' ? program.files[0].realPath : file),
      ...boundedWords(argv),
      workdir: boundedPath(workdir.path),
      action: decision.action,
      reason,
      matchedRules,
      asked,
      exitCode: decision.action === 'deny' ? DENIED_EXIT : null,
    };
    if (decision.action !== 'escalate') {
      this.#log.record(record);
      return;
    }
    const { exitCode: _, ...begun } = record;
    this.#log.record({ ...begun, event: 'escalate' });
    this.#running.set(requestId, record);
  }

  event(event: ExecEvent): void {
    if (event.type === 'ran-unasked') {
      const { requestId, file, argv, workdir } = event;
      this.#log.record({
        event: 'exec',
        call: this.#call,
        exec: requestId,
        program: boundedPath(file),
        ...boundedWords(argv),
        workdir: boundedPath(workdir),
        action: 'run',
        reason: 'no rule names it',
        matchedRules: [],
        asked: false,
        exitCode: null,
      });
    } else if (event.type === 'exited') {
      this.#ended(event.requestId, event.exitCode, event.error);
    } else if (event.type === 'abandoned') {
      this.#ended(event.requestId, null, 'ended with the process that asked for it');
    }
  }

  /** The call is over: what has not been told of by now was ended with it. */
  close(): void {
    for (const id of [...this.#running.keys()]) this.#ended(id, null, 'ended with its call');
  }

  #ended(requestId: number, exitCode: number | null, remark: string | undefined): void {
    const record = this.#running.get(requestId);
    if (record === undefined) return;
    this.#running.delete(requestId);
    const reason = remark === undefined ? record.reason : `${record.reason}; ${remark}`;
    this.#log.record({ ...record, exitCode, reason });
  }
}
