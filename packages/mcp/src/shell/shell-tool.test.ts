import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EscalationError, type ShellCall, type ShellResult } from '@codex/escalation';
import { fullAccess, readOnly, SandboxError } from '@codex/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import type { Answer, ToolContext } from '../server/description.js';
import { LastLine } from './last-line.js';
import { shellTool } from './shell-tool.js';

const workdir = mkdtempSync(join(tmpdir(), 'shell-tool-'));
symlinkSync('loop', join(workdir, 'loop'));
afterAll(() => rmSync(workdir, { recursive: true }));

const RESULT: ShellResult = {
  exitCode: 0,
  output: 'o',
  stdout: 'o',
  stderr: '',
  durationMs: 1234.5,
  timedOut: false,
  omittedBytes: 0,
  denial: undefined,
  notes: [],
};

function toolWith(run: (call: ShellCall) => Promise<ShellResult>) {
  return shellTool({
    runs: { run },
    defaultTimeoutMs: 10_000,
    maxTimeoutMs: 60_000,
    maxOutputBytes: 1000,
    sandbox: () => ({ policy: readOnly(), cwd: workdir, workspaceRoots: [workdir] }),
  });
}

function contextWith(more: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    protocolEra: 'handshake',
    canAsk: true,
    meta: {},
    progress: () => undefined,
    ask: async () => ({ action: 'decline' }),
    ...more,
  };
}

describe('the tool shell', () => {
  it('answers the same as text and as data', async () => {
    const { text, structured } = await toolWith(async () => RESULT).handler(
      { command: 'x', workdir },
      contextWith(),
    );
    expect(structured).toEqual({
      exit_code: 0,
      output: 'o',
      stdout: 'o',
      stderr: '',
      duration: { secs: 1, nanos: 234_500_000 },
      timed_out: false,
      truncated: false,
      omitted_bytes: 0,
      sandbox_denied: false,
    });
    expect(JSON.parse(text)).toEqual(structured);
  });

  it('takes the sandbox of the call, else its own', async () => {
    const policies: unknown[] = [];
    const tool = toolWith(async (call) => {
      policies.push(call.sandbox.policy);
      return RESULT;
    });
    const state = { permissionProfile: { type: 'disabled' }, sandboxCwd: workdir };
    await tool.handler({ command: 'x', workdir }, contextWith());
    await tool.handler(
      { command: 'x', workdir },
      contextWith({ meta: { 'codex/sandbox-state-meta': state } }),
    );
    expect(policies).toEqual([readOnly(), fullAccess()]);
  });

  it.each([
    [{ action: 'accept', content: {} }, { type: 'accept' }],
    [{ action: 'decline' }, { type: 'decline' }],
    [{ action: 'cancel' }, { type: 'cancel' }],
    [
      { action: 'failed', reason: 'r' },
      { type: 'failed', reason: 'r' },
    ],
    [{ action: 'withdrawn' }, { type: 'failed', reason: expect.any(String) }],
    [{ action: 'unavailable' }, { type: 'failed', reason: expect.any(String) }],
  ] as const)('asks with a form without fields: %j', async (answer: Answer, meant) => {
    const questions: unknown[] = [];
    const tool = toolWith(async ({ ask, signal }) => {
      expect(await ask?.('may I?', signal)).toEqual(meant);
      return RESULT;
    });
    const ask = async (question: unknown) => {
      questions.push(question);
      return answer;
    };
    await tool.handler({ command: 'x', workdir }, contextWith({ ask }));
    expect(questions).toEqual([{ message: 'may I?' }]);
  });

  it('asks nobody where the client cannot', async () => {
    const tool = toolWith(async ({ ask, nobody }) => {
      expect(ask).toBeUndefined();
      expect(nobody).toContain('elicitation');
      return RESULT;
    });
    await tool.handler({ command: 'x', workdir }, contextWith({ canAsk: false }));
  });

  it('refuses what the caller can correct, and passes on what it cannot', async () => {
    const failing = (error: Error) => toolWith(() => Promise.reject(error));
    const call = (tool: ReturnType<typeof toolWith>, values = {}) =>
      tool.handler({ command: 'x', workdir, ...values }, contextWith());
    const invalid = { code: 'MCP_CALL_INVALID' };
    await expect(call(failing(new SandboxError('SANDBOX_POLICY_INVALID', 'no')))).rejects.toMatchObject(
      invalid,
    );
    await expect(call(failing(new EscalationError('SHELL_NOT_STARTED', 'no')))).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
    });
    const idle = toolWith(async () => RESULT);
    for (const wrong of [`${workdir}/no`, '.', `/${'x'.repeat(300)}`, `${workdir}/loop`]) {
      await expect(call(idle, { workdir: wrong })).rejects.toMatchObject(invalid);
    }
  });

  it('shows the last line while it runs', async () => {
    const shown: string[] = [];
    const tool = toolWith(async ({ onOutput }) => {
      onOutput?.(Buffer.from('one\ntwo\n'));
      onOutput?.(Buffer.from('three'));
      return RESULT;
    });
    await tool.handler({ command: 'x', workdir }, contextWith({ progress: (line) => shown.push(line) }));
    expect(shown).toEqual(['two', 'three']);
  });
});

describe('LastLine', () => {
  it('has no colours, no control characters, no half characters, and an end', () => {
    const line = new LastLine();
    expect(line.after(Buffer.from('\n \n'))).toBeUndefined();
    expect(line.after(Buffer.from('\u001b[31mred\u001b[0m\u0007\n\n'))).toBe('red');
    expect(line.after(Buffer.from('50%\r100%'))).toBe('100%');
    expect(line.after(Buffer.from('x'.repeat(100_000)))).toHaveLength(200);
  });
});
