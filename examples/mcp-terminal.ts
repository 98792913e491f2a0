// A terminal through MCP: the official client, `exec-server mcp-server` at the other end, and the questions that it asks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const url = process.argv[2] ?? 'ws://127.0.0.1:7777';
const project = mkdtempSync(join(tmpdir(), 'mcp-terminal-'));

const client = new Client(
  { name: 'example', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } } },
);
client.setRequestHandler('elicitation/create', ({ params }) => {
  console.log(`asked: ${params.message.split('\n')[0]}`);
  return { action: 'decline' };
});

// Installed, `command` is `exec-server`. Without --url it needs no other server.
const program = fileURLToPath(new URL('../apps/codex/dist/codex.js', import.meta.url));
const args = [
  'mcp-server',
  '--url',
  url,
  '--cwd',
  project,
  '--sandbox',
  'read-only',
  '--approvals',
  'on-failure',
];
await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, ...args] }));

console.log(`${(await client.listTools()).tools.length} tools`);
const { structuredContent } = await client.callTool({
  name: 'exec_command',
  arguments: { cmd: 'echo hello; sleep 0.5; touch denied', login: false },
});
const { output, exit_code, notes } = Object(structuredContent);
console.log(`exited with code ${exit_code}: ${String(output).split('\n')[0]}`);
console.log(String(notes));

await client.close();
rmSync(project, { recursive: true, force: true });
