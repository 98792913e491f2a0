// What the server keeps is bounded over all sessions. What one client has read makes room for what another has not, and
// a reconnect of the first changes nothing about that.
import { describe, expect, it } from 'vitest';
import { EventCollector, numberedDigest, numberedProducer } from '../process/support/numbered-output.js';
import { serve } from '../process/support/served-server.js';
import { recover, resume } from './support/recovering-client.js';

const MIB = 1024 * 1024;

describe('output that one client has read', () => {
  it('goes before that of a client that is cut, also when its reader was cut and came back', async () => {
    const { client: connect } = await serve({ process: { retainedOutputBytes: 24 * MIB } });
    const reader = await connect();
    reader.keepEvents = false;
    const closed = new Set<string>();
    reader.onEvent = ({ method, processId }) => void (method === 'process/closed' && closed.add(processId));
    for (const id of ['a', 'b', 'c', 'd']) await reader.start(id, numberedProducer(7));
    await reader.until(() => closed.size === 4);
    reader.cut();
    await resume(connect, reader.sessionId);

    const megabytes = 40;
    const collector = new EventCollector();
    let other = await connect();
    other.keepEvents = false;
    other.onEvent = (event) => collector.take(event);
    await other.start('p', numberedProducer(megabytes));
    for (let cut = 1; cut <= 4; cut++) {
      await other.until(() => collector.bytes >= cut * 7 * 1_000_000);
      other.socket.pause();
      await new Promise((resolve) => setTimeout(resolve, 100));
      other.onEvent = undefined;
      other.cut();
      other = await resume(connect, other.sessionId);
      expect((await recover(other, collector)).omitted).toBeNull();
    }
    await other.until(() => collector.isClosed, 30_000);
    expect(collector.digest()).toBe(numberedDigest(megabytes));
  }, 60_000);
});
