// The file state of one connection: the order of its requests, its open files, its watches, room for its replies.

import type { FsLimits, Watcher } from '@codex/exec-files';
import type { BulkSource } from '@codex/exec-rpc';
import type { ConnectionScope, SliceKey } from '../request-context.js';
import { FileHandles } from './file-handles.js';
import { OrderGate } from './order-gate.js';
import { ReplyRoom } from './reply-room.js';
import { Watches } from './watches.js';

/** The order of a connection's file requests; `process/start` waits for `settled()`. */
export const FILE_ORDER: SliceKey<OrderGate> = {
  create: (connection) => {
    const gate = new OrderGate();
    connection.signal.addEventListener('abort', () => gate.end(), { once: true });
    return gate;
  },
};

export interface ConnectionFilesOptions {
  readonly limits: FsLimits;
  readonly localWatcher: Watcher;
}

export class ConnectionFiles {
  readonly order: OrderGate;
  readonly handles: FileHandles;
  readonly replyRoom: ReplyRoom;
  readonly watches: Watches;
  readonly signal: AbortSignal;

  constructor(connection: ConnectionScope, { limits, localWatcher }: ConnectionFilesOptions) {
    this.order = connection.slice(FILE_ORDER);
    this.handles = new FileHandles(limits);
    const addBulkSource = (source: BulkSource) => connection.peer.addBulkSource(source);
    this.replyRoom = new ReplyRoom(limits.maxPendingReadBytes, addBulkSource);
    this.watches = new Watches({ limits, localWatcher, addBulkSource });
    this.signal = connection.signal;
    const end = (): void => {
      this.replyRoom.end();
      this.watches.end();
      void this.handles.closeAll();
    };
    if (this.signal.aborted) end();
    else this.signal.addEventListener('abort', end, { once: true });
  }
}
