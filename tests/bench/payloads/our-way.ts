// Our client in this process and our program as server, with payloads as raw bytes or as base64 in text.
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { ServerProcess } from '../subjects/server-process.js';
import { BULK_BYTES, freshTarget, LARGE_BYTES, LONG_BYTES, largeContents } from './material.js';
import type { Way } from './way.js';

export function ourWay(name: string, binaryPayloads: boolean, command: readonly string[]): Way {
  return {
    name,
    async open(folder) {
      const server = await ServerProcess.start({ name, command });
      const client = await ExecServerClient.connect(server.url, { binaryPayloads });
      return {
        jobs: {
          'bulk output': () => output(client, BULK_BYTES),
          'long output': () => output(client, LONG_BYTES),
          'bulk input': async () => {
            const process = await client.spawn(['sh', '-c', 'cat > /dev/null'], { stdin: 'pipe' });
            await process.stdin.write(largeContents());
            await process.stdin.end();
            await process.wait();
          },
          'read a large file': async () => {
            const bytes = await client.fs.readBytes(join(folder, 'large'));
            if (bytes.length !== LARGE_BYTES) throw new Error(`${bytes.length} bytes came`);
          },
          'write a large file': () => client.fs.write(join(folder, 'written'), largeContents()),
          'upload a large file': () => client.fs.upload(join(folder, 'large'), join(folder, 'uploaded')),
          'download a large file': () =>
            client.fs.download(join(folder, 'large'), join(folder, 'downloaded')),
          'upload 2,000 files': () => client.fs.upload(join(folder, 'tree'), freshTarget(folder)),
          'download 2,000 files': () => client.fs.download(join(folder, 'tree'), freshTarget(folder)),
        },
        processIds: () => [server.pid],
        async close() {
          await client.close();
          await server.stop();
        },
      };
    },
  };
}

async function output(client: ExecServerClient, expected: number): Promise<void> {
  const process = await client.spawn(['head', '-c', String(expected), '/dev/zero']);
  let bytes = 0;
  for await (const event of process.events()) if (event.type === 'output') bytes += event.bytes.length;
  if (bytes !== expected) throw new Error(`${bytes} bytes came`);
}
