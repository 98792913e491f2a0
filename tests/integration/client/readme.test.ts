// Every TypeScript block of the client's README is the marked part of a recipe, which the compiler checks and which
// runs here.

import { readdirSync, readFileSync } from 'node:fs';
import type { ExecServerClient } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { recipe as authenticated } from './recipes/authenticated.js';
import { recipe as backgroundServer } from './recipes/background-server.js';
import { recipe as commands } from './recipes/commands.js';
import { recipe as dialogue } from './recipes/dialogue.js';
import { recipe as failures } from './recipes/failures.js';
import { recipe as files } from './recipes/files.js';
import { recipe as firstResult } from './recipes/first-result.js';
import { recipe as reconnect } from './recipes/reconnect.js';
import { recipe as sandbox } from './recipes/sandbox.js';
import { recipe as streaming } from './recipes/streaming.js';
import { recipe as timeout } from './recipes/timeout.js';
import { recipe as watching } from './recipes/watching.js';
import { recipe as yieldWindow } from './recipes/yield-window.js';
import { cuttingProxy } from './support/cutting-proxy.js';
import { describeOnEveryTarget } from './support/targets.js';

const folder = (path: string): URL => new URL(path, import.meta.url);

function readmeBlocks(): string[] {
  const readme = readFileSync(folder('../../../packages/client/README.md'), 'utf8');
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) =>
    block.replace(/^(?:import|const url =) .*\n+/gm, '').trimEnd(),
  );
}

function recipeTexts(): string[] {
  return readdirSync(folder('recipes'))
    .filter((name) => name !== 'output.ts')
    .map((name) => {
      const text = readFileSync(folder(`recipes/${name}`), 'utf8');
      const marked = /\n {2}\/\/ readme\n([\s\S]*?)\n {2}\/\/ end\n/.exec(text)?.[1] ?? '';
      return marked.replace(/^ {2}/gm, '');
    });
}

describe('the README', () => {
  it('shows exactly the recipes that run below', () => {
    expect(readmeBlocks().sort()).toEqual(recipeTexts().sort());
  });
});

describeOnEveryTarget('the recipe', (suite) => {
  const printed = () => {
    const lines: string[] = [];
    const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
    return { lines, log: (...values: unknown[]) => void lines.push(values.map(show).join(' ').trim()) };
  };

  it('for a first result', async () => {
    const output = printed();
    await firstResult(suite.target().address, output);
    expect(output.lines).toEqual(['false 3', 'hello\n ["oops"]']);
  });

  it('for a token', async () => {
    const output = printed();
    await authenticated(suite.target().address, output);
    expect(output.lines).toEqual(['hi']);
  });

  it('for a sandbox', async () => {
    const output = printed();
    await sandbox(await suite.connect(), output);
    // The real server says that, and not what, was denied.
    const evidence = suite.name === 'real codex' ? '' : ' read_only_file_system /usr/here';
    expect(output.lines).toEqual([`denied${evidence}`]);
  });

  it('for commands', async () => {
    const output = printed();
    await commands(await suite.connect(), output);
    expect(output.lines).toEqual([`it's $5 {"answer":42} 3`]);
  });

  it('for a timeout', async () => {
    const output = printed();
    await timeout(await suite.connect(), output);
    expect(output.lines).toEqual(['stopped after 500 ms: started']);
  });

  it('for streaming', async () => {
    const output = printed();
    await streaming(await suite.connect(), output);
    expect(output.lines).toEqual(['step 1', 'step 2', '{"kind":"exited","exitCode":0}']);
  });

  it('for a dialogue', async () => {
    const output = printed();
    await dialogue(await suite.connect(), output);
    expect(output.lines).toEqual(['Ada']);
  });

  it('for a server in the background', async () => {
    const output = printed();
    await backgroundServer(await suite.connect(), output, 20_000 + Math.floor(Math.random() * 20_000));
    expect(output.lines).toEqual(['hi']);
  });

  it('for a yield window', async () => {
    const output = printed();
    await yieldWindow(await suite.connect(), output);
    expect(output.lines.map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      'running compiling',
      'exited done',
    ]);
  });

  it('for a lost connection', async () => {
    const output = printed();
    const proxy = await cuttingProxy(suite.target());
    await reconnect(proxy.address, output, () => proxy.cut());
    await proxy.close();
    expect(output.lines).toEqual(['connected', 'reconnecting', 'reconnected', '1 2 3 4 5', 'closed', 'true']);
  });

  it('for watching others', async ({ skip }) => {
    if (suite.name === 'real codex') skip('the real server has no observers');
    const output = printed();
    const owner = await suite.connect();
    await owner.run('echo seen', { id: `watched-${suite.name}` });
    await watching(suite.target().address, output);
    expect(output.lines).toContain('1 seen');
  });

  it('for files', async () => {
    const output = printed();
    await files(await suite.connect(), output, suite.directory());
    expect(output.lines).toContain('remember');
    expect(output.lines).toContain('8 of 8');
    expect(output.lines.at(-1)).toBe('{"files":1,"bytes":8,"skipped":[]}');
  });

  it('for failures', async () => {
    const output = printed();
    const client: ExecServerClient = await suite.connect();
    await failures(client, output);
    expect(output.lines[0]).toBe('fs.notFound /no/such/file false');
    expect(output.lines).toHaveLength(suite.name === 'real codex' ? 2 : 1);
  });
});
