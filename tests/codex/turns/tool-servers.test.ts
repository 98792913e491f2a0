import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { HttpToolServer } from '../tool-servers/http-tool-server.js';

const PROGRAM = fileURLToPath(new URL('../tool-servers/stdio-tool-server.mjs', import.meta.url));

const stdioEntry = (workspace: string) => [
  '[mcp_servers.shouting]',
  `command = ${JSON.stringify(process.execPath)}`,
  `args = [${JSON.stringify(PROGRAM)}]`,
  `cwd = ${JSON.stringify(workspace)}`,
  'env = { SHOUT_MARK = "!" }',
  'required = true',
  'default_tools_approval_mode = "approve"',
];

describe('tool servers (MCP)', () => {
  it('that the CLI is configured with run on the server, over stdio', async () => {
    await expectSameTurn(
      async (model, { workspace }) => {
        for (const text of ['quiet', 'still quiet']) {
          const answer = JSON.stringify(await model.tool('mcp__shouting', 'shout', { text }));
          expect(answer).toContain(`${text.toUpperCase()} in ${workspace} with !`);
        }
      },
      { config: (workspace) => [...stdioEntry(workspace), 'environment_id = "remote"'] },
    );
  });

  it('that are reached over HTTP are reached from the server', async () => {
    const tools = await HttpToolServer.start();
    try {
      await expectSameTurn(
        async (model) => {
          const answer = JSON.stringify(await model.tool('mcp__whispering', 'whisper', { text: 'LOUD' }));
          expect(answer).toContain('loud loud loud');
        },
        {
          config: () => [
            '[mcp_servers.whispering]',
            `url = "${tools.url}"`,
            'http_headers = { x-mark = "marked" }',
            'environment_id = "remote"',
            'required = true',
            'default_tools_approval_mode = "approve"',
          ],
        },
      );
      expect(tools.marks).toEqual(new Set(['marked']));
    } finally {
      await tools.close();
    }
  });
});
