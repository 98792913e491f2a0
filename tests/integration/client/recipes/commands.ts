import type { ExecServerClient } from '@codex/exec-client';
import type { Output } from './output.js';

export async function recipe(client: ExecServerClient, console: Output): Promise<void> {
  // readme
  await client.run('ls | wc -l'); // a script for the server's shell
  await client.run(['ls', '-l', 'a file']); // a program and its arguments, no shell
  const name = "it's $5";
  const text = await client.$`printf %s ${name}`.text(); // every value is one word; text() throws on failure
  const value = await client.run(`echo '{"answer": 42}'`).json();
  const words = await client.run(['wc', '-w'], {
    stdin: { data: 'three little words' },
    cwd: '/tmp',
    env: { LANG: 'C' },
  });
  // end
  console.log(text, JSON.stringify(value), words.stdout.text.trim());
}
