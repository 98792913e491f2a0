// The MCP server `exec-mcp-server` as a client starts it from an installed package: one call of its tool, judged by a rule.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StepError } from './run-command.mjs';

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'check', version: '0' },
};

export async function checkInstalledShellServer(folder) {
  const codexHome = join(folder, 'codex-home');
  mkdirSync(join(codexHome, 'rules'), { recursive: true });
  writeFileSync(join(codexHome, 'rules', 'check.rules'), 'prefix_rule(["id"], "forbidden")\n');
  const server = spawn('npx', ['exec-server', 'exec-mcp-server'], {
    cwd: folder,
    env: { ...process.env, CODEX_HOME: codexHome },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = { command: 'echo installed; id', workdir: folder, login: false };
  let output;
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 1) send({ id: 2, method: 'tools/call', params: { name: 'shell', arguments: call } });
    if (id !== 2) continue;
    output = result?.structuredContent?.output;
    server.stdin.end();
  }
  const expected = 'installed\nExecution denied: forbidden by policy\n';
  if (output !== expected) {
    throw new StepError(
      `exec-mcp-server answered ${JSON.stringify(output)}, not ${JSON.stringify(expected)}`,
    );
  }
}
