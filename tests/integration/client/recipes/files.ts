import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output, directory: string): Promise<void> {
  // readme
  const { fs } = client;
  await fs.write(`${directory}/notes/today.txt`, 'remember', { parents: true });
  console.log(await fs.readText(`${directory}/notes/today.txt`)); // remember
  for await (const { path, kind } of fs.walk(directory)) console.log(kind, path);
  const upload = fs.upload(`${directory}/notes`, `${directory}/copy`);
  for await (const { bytes, totalBytes } of upload) console.log(`${bytes} of ${totalBytes}`);
  console.log(await upload); // { files: 1, bytes: 8, skipped: [] }
  // end
}
