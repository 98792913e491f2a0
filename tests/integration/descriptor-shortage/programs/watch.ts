// Prints how watches fail while no descriptor is left, and that they work again afterwards.
import { pathToFileUri } from '@codex/exec-protocol';
import { RpcPeer } from '@codex/exec-rpc';
import { ExecServer } from '@codex/exec-server-core';
import { exhaustDescriptors } from '../support/exhaust-descriptors.js';

const server = new ExecServer();

async function connect(): Promise<RpcPeer> {
  const peer = new RpcPeer(server.connectInMemory(), {
    onRequest: () => undefined,
    onNotification: () => undefined,
  });
  await peer.call('initialize', { clientName: 'short-of-descriptors' });
  peer.notify('initialized', {});
  return peer;
}

async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: { code?: number; message: string }) => `${error.code} ${error.message}`);
}

const watch = (peer: RpcPeer): Promise<unknown> =>
  outcome(peer.call('fs/watch', { watchId: 'w', path: '/tmp' }).then(() => 'watching'));
let missingId = 0;
const watchMissing = (peer: RpcPeer): Promise<unknown> =>
  outcome(
    peer.call('fs/watchMissing', { watchId: ++missingId, missing: [pathToFileUri('/no-such-directory/x')] }),
  );

const first = await connect();
const results: Record<string, unknown> = { before: await watch(first) };
const second = await connect();
const shortage = exhaustDescriptors();
results['watch'] = await watch(second);
results['watchMissing'] = await watchMissing(second);
// Room for what is opened on the way, none for a helper.
shortage.leave(1);
results['watch, one left'] = await watch(second);
results['watchMissing, one left'] = await watchMissing(second);
shortage.end();
results['after'] = await watch(second);
results['watchMissing after'] = await watchMissing(second);
process.stdout.write(JSON.stringify(results));
await server.shutdown();
