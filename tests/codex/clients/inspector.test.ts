// The MCP Inspector with our tool `shell`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedClients, makeHome, PROGRAM, runClient } from './installed-client.js';

const SERVER = [process.execPath, PROGRAM, 'exec-mcp-server'];
const home = makeHome();
afterAll(() => home.remove());
beforeAll(() => {
  mkdirSync(join(home.path, '.codex', 'rules'), { recursive: true });
  writeFileSync(join(home.path, '.codex', 'rules', 'a.rules'), 'prefix_rule(["id"], "forbidden")\n');
});

describe('the MCP Inspector', () => {
  let commands = '';
  beforeAll(() => {
    commands = installedClients('inspector-2.12.0', [
      'node@22.23.3',
      '@modelcontextprotocol/inspector@2.12.0',
    ]);
  }, 600_000);
  const inspect = (era: string, args: readonly string[]) =>
    runClient(
      join(commands, 'node'),
      [join(commands, 'mcp-inspector'), '--cli', '--protocol-era', era, ...SERVER, ...args],
      { home: home.path },
    );

  it.each(['legacy', 'modern'])('lists the tool and finds its schemas right (%s)', async (era) => {
    const { code, stdout, stderr } = await inspect(era, ['--method', 'tools/list', '--strict']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: 'shell' }] });
  });

  it.each(['legacy', 'modern'])('calls it (%s)', async (era) => {
    const { stdout } = await inspect(era, [
      ...['--method', 'tools/call', '--tool-name', 'shell'],
      ...['--tool-arg', 'command=echo from $((40 + 2)); id', `workdir=${home.path}`, 'login=false'],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      structuredContent: { exit_code: 1, output: 'from 42\nExecution denied: forbidden by policy\n' },
    });
  });
});
