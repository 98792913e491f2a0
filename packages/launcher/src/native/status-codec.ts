/** The supervisor's reports: records of five little-endian 32-bit numbers. Twin: enum STATUS_* in native/supervisor.h. */
import type { LaunchStage } from '../launch-error.js';

export type Status =
  | { type: 'started'; pid: number; stdinFd: number; stdoutFd: number; stderrFd: number }
  | { type: 'failed'; stage: LaunchStage; errno: number }
  | { type: 'exited'; code: number; signal: number }
  | { type: 'treeGone' }
  | { type: 'writable' };

const RECORD_BYTES = 20;
/** Index = number on the wire. Twin: enum stage in native/child.h. */
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

/** Cuts a byte stream into reports; a record may come in pieces. */
export class StatusDecoder {
  #rest: Buffer = Buffer.alloc(0);

  push(block: Buffer): Status[] {
    const bytes = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block]);
    const found: Status[] = [];
    let at = 0;
    for (; bytes.length - at >= RECORD_BYTES; at += RECORD_BYTES) {
      const status = decode(bytes.subarray(at, at + RECORD_BYTES));
      if (status !== undefined) found.push(status);
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return found;
  }
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
      return { type: 'exited', code: first, signal: second };
    case 4:
      return { type: 'treeGone' };
    case 5:
      return { type: 'writable' };
    default:
      return undefined;
  }
}
