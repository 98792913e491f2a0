// What callers of one machine can make it hold, all together.

import { MessageRoom } from '../channel/inbound/message-room.js';
import { WindowBudget } from '../channel/window-budget.js';

const MIB = 1024 * 1024;
/** Bytes that callers may have sent and that were not handled yet. */
const BUDGET_BYTES = 64 * MIB;
/** Their messages that are not whole yet. */
const MESSAGES_BYTES = 256 * MIB;

export function executorMemory(): { readonly budget: WindowBudget; readonly room: MessageRoom } {
  return { budget: new WindowBudget(BUDGET_BYTES), room: new MessageRoom(MESSAGES_BYTES) };
}
