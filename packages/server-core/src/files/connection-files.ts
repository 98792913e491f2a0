// The file state of one connection: the order of its requests, its open files, its watches, room for its replies.

import type { FsLimits, Watcher } from '@codex/exec-files';
import type { BulkSource } from '@codex/exec-rpc';
import type { ConnectionScope, SliceKey } from '../request-context.js';
import { FewAtATime } from './few-at-a-time.js';
import { FileHandles } from './file-handles.js';
import { FileRequestOrder } from './file-request-order.js';
import { ReplyRoom } from './reply-room.js';
import { Watches } from './watches.js';

const latestOrders = new WeakMap<object, FileRequestOrder>();

/**
 * The order of a connection's file requests; `process/start` waits for `settled()`. It begins behind what the session's
 * connection before has under way: a client sends again what was not answered, and the first copy of a change must not
 * take effect behind the second one, or behind what came after that.
 */
export const FILE_ORDER: SliceKey<FileRequestOrder> = {
  create: (connection) => {
    const { session } = connection;
    const order = new FileRequestOrder(session && latestOrders.get(session)?.unchanging);
    if (session !== undefined) latestOrders.set(session, order);
    connection.signal.addEventListener('abort', () => order.end(), { once: true });
    return order;
  },
};

/** As many as there are threads that look at the disk, twice. */
const SEARCHES_AT_ONCE = 8;

export interface ConnectionFilesOptions {
  readonly limits: FsLimits;
  readonly localWatcher: Watcher;
}

export class ConnectionFiles {
  readonly order: FileRequestOrder;
  readonly handles: FileHandles;
  readonly replyRoom: ReplyRoom;
  readonly watches: Watches;
  readonly signal: AbortSignal;
  /** Listings and walks. */
  readonly searches: FewAtATime;

  constructor(connection: ConnectionScope, { limits, localWatcher }: ConnectionFilesOptions) {
    this.order = connection.slice(FILE_ORDER);
    this.handles = new FileHandles(limits);
    const addBulkSource = (source: BulkSource) => connection.peer.addBulkSource(source);
    this.replyRoom = new ReplyRoom(limits.maxPendingReadBytes, addBulkSource);
    this.watches = new Watches({ limits, localWatcher, addBulkSource });
    this.signal = connection.signal;
    this.searches = new FewAtATime(SEARCHES_AT_ONCE, this.signal);
    const end = (): void => {
      this.replyRoom.end();
      this.watches.end();
      void this.handles.closeAll();
    };
    if (this.signal.aborted) end();
    else this.signal.addEventListener('abort', end, { once: true });
  }
}
