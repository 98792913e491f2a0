// What a supervisor tells: records of five little-endian 32-bit numbers, one kind with bytes behind it. Twin: enum
// STATUS_* in native/link.h.
import type { LaunchStage } from '../../launch-error.js';

export type Status =
  /** Our ends of pipes without a number are open already. */
  | { type: 'started'; pid: number; stdinFd: number; stdoutFd: number; stderrFd: number }
  | { type: 'failed'; stage: LaunchStage; errno: number }
  /** `restFollows`: not all that the command wrote to its terminal has been passed on; `relayed` says when it has. */
  | { type: 'exited'; code: number; signal: number; restFollows: boolean }
  | { type: 'treeGone' }
  | { type: 'report'; bytes: Buffer }
  /** The tree is being killed. */
  | { type: 'mountLost'; path: string }
  | { type: 'relayed' }
  /**
   * The identity of the supervisor, before `started`. The start time, in the kernel's units, is that of /proc/<pid>/stat.
   */
  | { type: 'supervisor'; pid: number; startTime: string };

const RECORD_BYTES = 20;
const REPORT = 5;
const MOUNT_LOST = 8;
/** Twin: MAX_REPORT in native/supervisor.c. */
const MAX_REPORT_BYTES = 4096;
/** Index = number on the wire. Twin: enum stage in native/command/child.h. */
const LAUNCH_STAGES: readonly LaunchStage[] = [
  'supervisor',
  'spec',
  'io',
  'pty',
  'fork',
  'session',
  'cwd',
  'restrict',
  'exec',
];

/** Cuts a byte stream into statuses; a record may come in pieces. */
export class StatusDecoder {
  #rest: Buffer = Buffer.alloc(0);

  /**
   * Null: no supervisor says such a thing, another process has written into its pipe. What such a one can make us keep is
   * bounded; what it says in the right form is believed.
   */
  push(block: Buffer): Status[] | null {
    const bytes = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block]);
    const found: Status[] = [];
    let at = 0;
    while (bytes.length - at >= RECORD_BYTES) {
      const behind = bytesBehind(bytes, at);
      if (behind > MAX_REPORT_BYTES) return null;
      const end = at + RECORD_BYTES + behind;
      if (bytes.length < end) break;
      const status = decode(bytes.subarray(at, end));
      if (status !== undefined) found.push(status);
      at = end;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return found;
  }
}

function bytesBehind(bytes: Buffer, at: number): number {
  const type = bytes.readUInt32LE(at);
  return type === REPORT || type === MOUNT_LOST ? bytes.readUInt32LE(at + 4) : 0;
}

function decode(record: Buffer): Status | undefined {
  const first = record.readUInt32LE(4);
  const second = record.readUInt32LE(8);
  switch (record.readUInt32LE(0)) {
    case 1:
      return {
        type: 'started',
        pid: first,
        stdinFd: record.readInt32LE(8),
        stdoutFd: record.readInt32LE(12),
        stderrFd: record.readInt32LE(16),
      };
    case 2:
      return { type: 'failed', stage: LAUNCH_STAGES[first] ?? 'supervisor', errno: second };
    case 3:
      return { type: 'exited', code: first, signal: second, restFollows: record.readUInt32LE(12) === 1 };
    case 4:
      return { type: 'treeGone' };
    case REPORT:
      return { type: 'report', bytes: Buffer.from(record.subarray(RECORD_BYTES)) };
    case 6:
      return { type: 'relayed' };
    case 7:
      return { type: 'supervisor', pid: first, startTime: record.readBigUInt64LE(8).toString() };
    case MOUNT_LOST:
      return { type: 'mountLost', path: record.toString('utf8', RECORD_BYTES) };
    default:
      return undefined;
  }
}
