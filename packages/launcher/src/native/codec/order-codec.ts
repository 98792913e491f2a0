// Orders to the supervisor: records of three little-endian 32-bit numbers, one kind with bytes behind it. Twin: enum ORDER_*
// in native/link.h.
import type { MadeLater } from '../../launch-spec.js';
import type { SignalScope } from '../../launched-process.js';
import { encodePaths } from './path-list.js';

export type Order =
  | { type: 'opened' }
  | { type: 'signal'; scope: SignalScope; signal: number }
  | { type: 'killTree' }
  | { type: 'resize'; rows: number; cols: number }
  | { type: 'ptyClosed' }
  /** Nothing but a sign of life: what comes in wakes a supervisor from the nursery. */
  | { type: 'wake' }
  /** What a command that is started already waits for. */
  | ({ type: 'bytes' } & MadeLater);

const TYPES: Record<Order['type'], number> = {
  opened: 1,
  signal: 2,
  killTree: 3,
  resize: 4,
  ptyClosed: 5,
  wake: 6,
  bytes: 7,
};
const RECORD_BYTES = 12;
const NOTHING = new Uint8Array(0);
const SCOPES: Record<SignalScope, number> = { command: 0, group: 1, descendants: 2 };

export function encodeOrder(order: Order): Buffer {
  const behind = order.type === 'bytes' ? order.bytes : NOTHING;
  const paths = order.type === 'bytes' ? encodePaths(order.keptMounts) : NOTHING;
  const record = Buffer.alloc(RECORD_BYTES + behind.length + paths.length);
  record.writeUInt32LE(TYPES[order.type], 0);
  if (order.type === 'signal') {
    record.writeUInt32LE(SCOPES[order.scope], 4);
    record.writeUInt32LE(order.signal, 8);
  } else if (order.type === 'resize') {
    record.writeUInt32LE(order.rows, 4);
    record.writeUInt32LE(order.cols, 8);
  } else if (order.type === 'bytes') {
    record.writeUInt32LE(behind.length, 4);
    record.writeUInt32LE(paths.length, 8);
    record.set(behind, RECORD_BYTES);
    record.set(paths, RECORD_BYTES + behind.length);
  }
  return record;
}
