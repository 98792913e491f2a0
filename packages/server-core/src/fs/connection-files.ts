// What the file slice keeps for one connection: the order of its requests, its open files, room for its replies.
import type { ConnectionScope, SliceKey } from '../handlers/handler-table.js';
import { FileHandles } from './file-handles.js';
import type { FsLimits } from './fs-limits.js';
import { OrderGate } from './order-gate.js';
import { ReplyRoom } from './reply-room.js';

/** The order of a connection's file requests; `process/start` waits for `settled()`. */
export const FILE_ORDER: SliceKey<OrderGate> = {
  create: (connection) => {
    const gate = new OrderGate();
    connection.signal.addEventListener('abort', () => gate.end(), { once: true });
    return gate;
  },
};

export class ConnectionFiles {
  readonly order: OrderGate;
  readonly handles: FileHandles;
  readonly replyRoom: ReplyRoom;
  readonly signal: AbortSignal;

  constructor(connection: ConnectionScope, limits: FsLimits) {
    this.order = connection.slice(FILE_ORDER);
    this.handles = new FileHandles(limits);
    this.replyRoom = new ReplyRoom(limits.maxPendingReadBytes, (source) =>
      connection.peer.addBulkSource(source),
    );
    this.signal = connection.signal;
    const end = (): void => {
      this.replyRoom.end();
      void this.handles.closeAll();
    };
    if (this.signal.aborted) end();
    else this.signal.addEventListener('abort', end, { once: true });
  }
}
