// A model with a terminal, in the shape of the OpenAI Responses API. A script stands in for the model; the rest is real.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { workspaceWrite } from '@codex/sandbox';
import { UnifiedExec } from '@codex/unified-exec';

interface Item {
  readonly type: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly call_id?: string;
  readonly output?: string;
}

const call = (call_id: string, cmd: string): Item => ({
  type: 'function_call',
  name: 'exec_command',
  arguments: JSON.stringify({ cmd, login: false }),
  call_id,
});
// In its place: new OpenAI().responses
const script: Item[][] = [
  [
    call('1', 'echo hello > greeting; cat greeting'),
    call('2', 'touch /usr/greeting 2>/dev/null || { echo denied; exit 1; }'),
  ],
  [{ type: 'message' }],
];
const model = {
  create: (_request: { input: Item[]; tools: object[] }) => Promise.resolve({ output: script.shift() ?? [] }),
};

const url = process.argv[2] ?? 'ws://127.0.0.1:7777';
const project = mkdtempSync(join(tmpdir(), 'model-with-a-terminal-'));
const client = await ExecServerClient.connect(url);
const exec = new UnifiedExec(client, { cwd: project, sandbox: workspaceWrite() });

const input: Item[] = [];
for (;;) {
  const { output } = await model.create({ input, tools: exec.tools.openai() });
  input.push(...output);
  const calls = output.filter(({ type }) => type === 'function_call');
  if (calls.length === 0) break;
  for (const { name = '', arguments: json = '', call_id = '' } of calls) {
    const { text, structured } = await exec.dispatch(name, json, { callId: call_id });
    console.log(`exited with code ${structured.exit_code}: ${structured.output.trim()}`);
    input.push({ type: 'function_call_output', call_id, output: text });
  }
}
console.log('done');

await exec[Symbol.asyncDispose]();
await client.close();
rmSync(project, { recursive: true, force: true });
