// A websocket whose frames the check writes itself.
import assert from 'node:assert/strict';
import { upgradeRequest } from '../../client/frame-bytes.js';
import { RawSocket } from '../../client/raw-socket.js';
import type { CheckContext } from '../../runner/check-context.js';

export async function upgraded(t: CheckContext): Promise<RawSocket> {
  const socket = await RawSocket.open(t.url);
  t.defer(() => socket.destroy());
  socket.write(upgradeRequest(t.url));
  assert.equal((await socket.head()).status, 101);
  return socket;
}
