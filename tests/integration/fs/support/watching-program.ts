// A server with one watch, in a process of its own: prints the pid of the watch's helper and waits to be killed.
import { readFileSync } from 'node:fs';
import { RpcPeer } from '@codex/exec-rpc';
import { ExecServer } from '@codex/exec-server-core';

const peer = new RpcPeer(new ExecServer().connectInMemory(), {
  onRequest: () => undefined,
  onNotification: () => undefined,
});
await peer.call('initialize', { clientName: 'watching-program' });
peer.notify('initialized', {});
await peer.call('fs/watch', { watchId: 'w', path: process.argv[2] });
const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
const helper = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--watch'));
process.stdout.write(`${helper}\n`);
setInterval(() => undefined, 1000);
