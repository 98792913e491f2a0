import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output, port: number): Promise<void> {
  // readme
  await using server = await client.spawn([
    'node',
    '-e',
    `require('node:http').createServer((_, answer) => answer.end('hi')).listen(${port}, '127.0.0.1')`,
  ]);
  await server.waitForPort(port, { timeoutMs: 20_000 });
  console.log(await client.$`curl -s http://127.0.0.1:${port}/`.text()); // hi
  // end
}
