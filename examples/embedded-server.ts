// Server and client in one process: no port, no configuration, the same API.
import { ExecServerClient } from '@codex/exec-client';
import { ExecServer } from '@codex/exec-server-core';

const server = new ExecServer();
const client = await ExecServerClient.connect({ channel: server.connectInMemory() });

console.log(await client.$`printf %s ${"it's one word"}`.text());

await client.close();
await server.shutdown();
