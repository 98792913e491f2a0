// A model with a terminal through the Vercel AI SDK. Its mock model stands in for a real one; the rest is real.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { workspaceWrite } from '@codex/sandbox';
import { UnifiedExec } from '@codex/unified-exec';
import { generateText, type JSONSchema7, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const url = process.argv[2] ?? 'ws://127.0.0.1:7777';
const project = mkdtempSync(join(tmpdir(), 'ai-sdk-tools-'));
const client = await ExecServerClient.connect(url);
const exec = new UnifiedExec(client, { cwd: project, sandbox: workspaceWrite() });

// These lines are all that it takes.
const tools = Object.fromEntries(
  exec.tools.mcp().map(({ name, description, inputSchema }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(inputSchema as JSONSchema7),
      execute: async (args, { toolCallId, abortSignal: signal }) => {
        const context = { callId: toolCallId, ...(signal === undefined ? {} : { signal }) };
        return (await exec.dispatch(name, JSON.stringify(args), context)).text;
      },
    }),
  ]),
);

const { text, steps } = await generateText({
  model: scriptedModel('echo hello > greeting; cat greeting'),
  prompt: 'Write a greeting.',
  tools,
  stopWhen: stepCountIs(5),
});
for (const { output } of steps.flatMap(({ toolResults }) => toolResults)) {
  console.log(String(output).split('Output:\n')[1]?.trim());
}
console.log(text);

await exec[Symbol.asyncDispose]();
await client.close();
rmSync(project, { recursive: true, force: true });

/** Calls `exec_command` once and is content. In its place: any model of the SDK. */
function scriptedModel(cmd: string): MockLanguageModelV3 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const usage = { inputTokens: tokens, outputTokens: tokens };
  const input = JSON.stringify({ cmd, login: false });
  return new MockLanguageModelV3({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'exec_command', input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}
