import type { ExecServerClient } from '@codex/exec-client';
import { workspaceWrite } from '@codex/sandbox';
import { UnifiedExec } from '@codex/unified-exec';

export interface Item {
  readonly type: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly call_id?: string;
}

/** The part of the Responses API that a tool loop uses. */
export interface Model {
  create(request: { input: unknown[]; tools: object[] }): Promise<{ output: Item[] }>;
}

export async function recipe(client: ExecServerClient, model: Model, project: string): Promise<unknown[]> {
  const input: unknown[] = [{ role: 'user', content: 'Which files are here?' }];
  // readme
  await using exec = new UnifiedExec(client, { cwd: project, sandbox: workspaceWrite() });
  for (let calls = 1; calls > 0; ) {
    const { output } = await model.create({ input, tools: exec.tools.openai() });
    input.push(...output);
    calls = 0;
    for (const { type, name = '', arguments: json = '', call_id } of output) {
      if (type !== 'function_call') continue;
      const { text } = await exec.dispatch(name, json);
      input.push({ type: 'function_call_output', call_id, output: text });
      calls++;
    }
  }
  // end
  return input;
}
