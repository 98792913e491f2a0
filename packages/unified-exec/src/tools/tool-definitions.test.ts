import { describe, expect, it } from 'vitest';
import { profileOf } from '../limits.js';
import { toolDialects } from './tool-definitions.js';

const offered = {
  limits: profileOf('codex'),
  shell: 'bash',
  allowLogin: true,
  mayEscalate: true,
  applyPatchTool: false,
};
const names = (tool: object | undefined): string[] =>
  Object.keys((tool as { parameters: { properties: object } }).parameters.properties);

describe('the tools as models are told of them', () => {
  it('are the same two in every dialect', () => {
    const { openai, anthropic, mcp } = toolDialects(offered);
    expect(openai()).toMatchObject([
      { type: 'function', name: 'exec_command', strict: false, parameters: { required: ['cmd'] } },
      { type: 'function', name: 'write_stdin', strict: false, parameters: { required: ['session_id'] } },
    ]);
    expect(anthropic()).toMatchObject([{ name: 'exec_command', input_schema: {} }, { name: 'write_stdin' }]);
    expect(mcp()).toMatchObject([{ name: 'exec_command', inputSchema: {} }, { name: 'write_stdin' }]);
  });

  it('offer no way out of the sandbox where nobody is asked', () => {
    expect(names(toolDialects(offered).openai()[0])).toContain('sandbox_permissions');
    const [tool] = toolDialects({ ...offered, mayEscalate: false, allowLogin: false }).openai();
    expect(names(tool)).toEqual(['cmd', 'workdir', 'shell', 'tty', 'yield_time_ms', 'max_output_tokens']);
  });
});
