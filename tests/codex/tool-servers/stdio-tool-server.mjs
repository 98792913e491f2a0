// An MCP server on stdio with one tool, `shout`. It starts with a variable and a folder to report.
import { createInterface } from 'node:readline';

const TOOL = {
  name: 'shout',
  description: 'Says it louder',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'shouting', version: '1' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { text } }) => ({
    content: [
      { type: 'text', text: `${text.toUpperCase()} in ${process.cwd()} with ${process.env.SHOUT_MARK}` },
    ],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
