// Every TypeScript block of the README is the marked part of a recipe, which the compiler checks and which runs here.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeOnEveryTarget } from '../client/support/targets.js';
import { recipe as approval } from './recipes/approval.js';
import { recipe as firstCall } from './recipes/first-call.js';
import { recipe as toolLoop } from './recipes/tool-loop.js';
import { recipe as watching } from './recipes/watching.js';
import { outside } from './support/watched.js';

const folder = (path: string): URL => new URL(path, import.meta.url);

function readmeBlocks(): string[] {
  const readme = readFileSync(folder('../../../packages/unified-exec/README.md'), 'utf8');
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) =>
    block.replace(/^import .*\n+/gm, '').trimEnd(),
  );
}

function recipeTexts(): string[] {
  return readdirSync(folder('recipes')).map((name) => {
    const text = readFileSync(folder(`recipes/${name}`), 'utf8');
    return (/\n {2}\/\/ readme\n([\s\S]*?)\n {2}\/\/ end\n/.exec(text)?.[1] ?? '').replace(/^ {2}/gm, '');
  });
}

// Recipes use login shells: what the user of this machine has in a profile is none of the tests'.
beforeAll(() => void vi.stubEnv('HOME', '/nonexistent'));
afterAll(() => void vi.unstubAllEnvs());

describe('the README of unified-exec', () => {
  it('shows exactly the recipes that run below', () => {
    expect(readmeBlocks().sort()).toEqual(recipeTexts().sort());
  });
});

describeOnEveryTarget('the recipe', (suite) => {
  it('for a first call', async () => {
    const project = suite.directory();
    writeFileSync(`${project}/a.txt`, '');
    const lines: string[] = [];
    await firstCall(suite.target().address, project, { log: (text) => void lines.push(text) });
    expect(lines.join('')).toMatch(/Process exited with code 1\n.*\nNote: the sandbox denied.*a\.txt\n/s);
  });

  it('for a loop', async () => {
    const project = suite.directory();
    writeFileSync(`${project}/a.txt`, '');
    const cmd = JSON.stringify({ cmd: 'ls' });
    const answers = [
      { output: [{ type: 'function_call', name: 'exec_command', arguments: cmd, call_id: 'one' }] },
      { output: [{ type: 'message' }] },
    ];
    const model = { create: () => Promise.resolve(answers.shift() ?? { output: [] }) };
    const input = await toolLoop(await suite.connect(), model, project);
    expect(input).toMatchObject([
      { role: 'user' },
      { type: 'function_call' },
      { type: 'function_call_output', call_id: 'one', output: expect.stringContaining('a.txt\n') },
      { type: 'message' },
    ]);
  });

  it('for approvals', async () => {
    const project = outside();
    const asked: string[] = [];
    try {
      const text = await approval(await suite.connect(), project.path, (question) => {
        asked.push(question);
        return Promise.resolve(true);
      });
      expect(text).toContain('hello\n');
      expect(asked).toHaveLength(1);
    } finally {
      project.remove();
    }
  });

  it('for watching', async () => {
    const lines: string[] = [];
    await watching(await suite.connect(), { log: (...values) => void lines.push(values.join(' ')) });
    expect(lines[0]).toBe('begin call-1');
    expect(lines.join('\n')).toContain('compiling');
    expect(lines.at(-1)).toBe('end 3');
  });
});
