// The server of the README runs as it stands there.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { officialClient, STATELESS, served } from '../test-support/served.js';
import type { McpServerDescription } from './index.js';
import { InvalidCallError } from './index.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The example as a function of what it imports and of what it leaves to the reader. */
function describedInReadme(remove: (thing: string) => Promise<void>): McpServerDescription {
  const [, example = ''] = /```ts\n(import[\s\S]*?)```/.exec(README) ?? [];
  const body = example.replace(/^import.*$/m, '').replace(/^await .*$/m, '');
  const described: McpServerDescription[] = [];
  const run = new Function('serveMcp', 'InvalidCallError', 'remove', body) as (...parts: unknown[]) => void;
  run((description: McpServerDescription) => described.push(description), InvalidCallError, remove);
  const [description] = described;
  if (description === undefined) throw new TypeError('the README describes no server');
  return description;
}

it.each(['accept', 'decline'] as const)('asks before it removes: %s', async (action) => {
  const removed: string[] = [];
  const description = describedInReadme(async (thing) => void removed.push(thing));
  const server = served({}, description);
  const client = await officialClient(server, 'stateless');
  client.setRequestHandler('elicitation/create', ({ params }) => {
    expect(params.message).toBe('Remove it?');
    return action === 'accept' ? { action, content: {} } : { action };
  });
  const { structuredContent } = await client.callTool({ name: 'remove', arguments: { thing: 'it' } });
  expect(structuredContent).toEqual({ removed: action === 'accept' });
  expect(removed).toEqual(action === 'accept' ? ['it'] : []);
  await expect(client.callTool({ name: 'remove', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  await server.connection.close();
});

it('names the revision that it speaks', () => {
  expect(README).toContain(STATELESS);
});
