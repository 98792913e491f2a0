// A read-only sandbox denies a write; the executor says so; whether and how that is followed by a question and a retry.
import { existsSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { readOnly, workspaceWrite } from '@codex/sandbox';
import type { ApprovalDecision, ApprovalPolicy, ApprovalRequest } from '@codex/unified-exec';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cuttingProxy } from '../client/support/cutting-proxy.js';
import { describeOnEveryTarget } from '../client/support/targets.js';
import { bodyOf, outside, sessionIn, watched } from './support/watched.js';

const GRANULAR: ApprovalPolicy = { granular: { sandboxApproval: true, rules: true } };

describeOnEveryTarget('a denied command', (suite) => {
  let folder: ReturnType<typeof outside>;
  beforeEach(() => {
    folder = outside();
  });
  afterEach(() => folder.remove());

  const asked: ApprovalRequest[] = [];
  const answering = (...answers: ApprovalDecision[]) => {
    asked.length = 0;
    return (request: ApprovalRequest) => {
      asked.push(request);
      return answers[Math.min(asked.length, answers.length) - 1] ?? { allow: false };
    };
  };
  const setting = (approvalPolicy: ApprovalPolicy, ...answers: ApprovalDecision[]) =>
    ({
      // On a busy machine a sandbox alone may take as long as the early exit of Codex.
      profile: { earlyExitMs: 10_000 },
      cwd: folder.path,
      sandbox: readOnly(),
      approvalPolicy,
      approve: answering(...answers),
    }) as const;

  it('is shown as evidence, approved and retried, with one begin and one end', async () => {
    await using watch = watched(await suite.connect(), setting(GRANULAR, { allow: true }));
    const cmd = 'echo first; echo hello > written && cat written';
    const output = await watch.tool.execCommand({ cmd }, { callId: 'one' });
    expect(output.text).toMatch(
      /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 0\n/,
    );
    expect(bodyOf(output.text)).toBe('first\nhello\n');
    expect(existsSync(`${folder.path}/written`)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      reason: 'retryWithoutSandbox',
      callId: 'one',
      cwd: folder.path,
      escalated: false,
      ...(suite.name === 'real codex' ? {} : { evidence: expect.stringContaining('Read-only file system') }),
    });
    expect(asked[0]?.command.at(-1)).toBe(cmd);
    expect(await watch.types()).toEqual([
      'attempt 1 sandboxed started',
      'attempt 1 sandboxed denied',
      'approval retryWithoutSandbox asked',
      'approval retryWithoutSandbox approved',
      'attempt 2 out started',
      'begin',
      'end',
    ]);
    expect(watch.told('one')).toBe('first\nhello\n');
  });

  it('is not retried when that is declined, and what ran has its begin and end', async () => {
    await using watch = watched(
      await suite.connect(),
      setting(GRANULAR, { allow: false, message: 'better not' }),
    );
    const cmd = 'echo first; touch written';
    const output = await watch.tool.execCommand({ cmd }, { callId: 'one' });
    // What the command did in the sandbox is not kept from the model.
    expect(output).toMatchObject({ isError: false, denial: { declined: 'better not' } });
    expect(output.denial?.retry).toBeUndefined();
    expect(output.text).toContain(
      '\nNote: the sandbox denied this command, and it was not run again: better not. ',
    );
    expect(bodyOf(output.text)).toMatch(/^first\n.*Read-only file system\n$/s);
    expect(existsSync(`${folder.path}/written`)).toBe(false);
    expect((await watch.types()).slice(-3)).toEqual([
      'approval retryWithoutSandbox declined',
      'begin',
      'end',
    ]);
    expect(watch.told('one')).toContain('Read-only file system');
  });

  it('that is declined is an error in the words of Codex where its profile is followed', async () => {
    const options = {
      ...setting(GRANULAR, { allow: false, message: 'better not' }),
      profile: 'codex' as const,
    };
    await using watch = watched(await suite.connect(), options);
    // More than a moment may pass on a busy machine until the denial: then it is a result like any other.
    const output = await watch.tool.execCommand({ cmd: 'touch written', login: false }, { callId: 'one' });
    if (asked.length > 0) expect(output.text).toBe('exec_command failed: better not');
    expect(existsSync(`${folder.path}/written`)).toBe(false);
  });

  it('is not retried by whoever asks for it after the tool was disposed of', async () => {
    const options = { ...setting(GRANULAR, { allow: true }), profile: { earlyExitMs: 0 } };
    const watch = watched(await suite.connect(), options);
    const late = await watch.tool.execCommand({ cmd: 'touch written' });
    await watch[Symbol.asyncDispose]();
    const retried = await late.denial?.retry?.();
    expect(retried).toMatchObject({ isError: true, error: { code: 'tool.aborted' } });
    expect(asked).toEqual([]);
    expect(existsSync(`${folder.path}/written`)).toBe(false);
  });

  it('starts nothing by a yes that comes when nobody waits for it any more', async () => {
    let say: (decision: ApprovalDecision) => void = () => undefined;
    const decision = new Promise<ApprovalDecision>((resolve) => {
      say = resolve;
    });
    const watch = watched(await suite.connect(), { ...setting('untrusted'), approve: () => decision });
    const stop = new AbortController();
    const given = watch.tool.execCommand({ cmd: 'touch written' }, { signal: stop.signal });
    const other = watch.tool.execCommand({ cmd: 'touch written' });
    stop.abort();
    expect((await given).error?.code).toBe('tool.aborted');
    await watch[Symbol.asyncDispose]();
    expect((await other).error?.code).toBe('tool.aborted');
    say({ allow: true, remember: 'session' });
    expect((await watch.types()).filter((type) => !/approval|rejected/.test(type))).toEqual([]);
    expect(existsSync(`${folder.path}/written`)).toBe(false);
  });

  it('is judged by what the executor says, whatever the command prints', async () => {
    await using watch = watched(await suite.connect(), {
      ...setting(GRANULAR, { allow: true }),
      sandbox: workspaceWrite(),
    });
    const fakes = ['Read-only file system', 'Operation not permitted', 'bwrap: sandbox denied', 'landlock'];
    for (const fake of fakes) {
      const cmd = `echo "touch: cannot touch x: ${fake}" >&2; exit 0`;
      expect((await watch.tool.execCommand({ cmd })).denial, fake).toBeUndefined();
    }
    expect(asked).toEqual([]);
    // Without a sandbox nothing is denied, whatever is printed and returned.
    const { sandbox: _none, ...unsandboxed } = setting(GRANULAR, { allow: true });
    await using free = watched(await suite.connect(), unsandboxed);
    for (const fake of fakes) {
      const cmd = `echo "touch: cannot touch x: ${fake}" >&2; exit 1`;
      expect((await free.tool.execCommand({ cmd })).denial, fake).toBeUndefined();
    }
    expect(asked).toEqual([]);
  });

  it('that only says so is the word of the executor all the same: shown as evidence, and never offered', async () => {
    const cmd = 'echo "touch: cannot touch x: Read-only file system" >&2; exit 1';
    await using asking = watched(await suite.connect(), setting(GRANULAR, { allow: false }));
    expect((await asking.tool.execCommand({ cmd })).denial?.retry).toBeUndefined();
    expect(asked).toHaveLength(1);
    if (suite.name !== 'real codex')
      expect(asked[0]?.evidence).toBe('touch: cannot touch x: Read-only file system');
    await using silent = watched(await suite.connect(), setting('never', { allow: true }));
    const output = await silent.tool.execCommand({ cmd });
    expect(output).toMatchObject({ structured: { exit_code: 1 }, denial: {} });
    expect(output.denial?.retry).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('is a result like any other where nobody may be asked', async () => {
    await using watch = watched(await suite.connect(), setting('never'));
    const output = await watch.tool.execCommand({ cmd: 'touch written; exit 3' });
    expect(output.text).toContain('\nProcess exited with code 3\n');
    expect(output).toMatchObject({ isError: false, structured: { exit_code: 3 } });
    expect(output.denial?.retry).toBeUndefined();
    expect(asked).toEqual([]);
    const escalated = { cmd: 'touch written', sandbox_permissions: 'require_escalated' } as const;
    expect(await watch.tool.execCommand(escalated)).toMatchObject({
      error: { code: 'tool.escalationRefused' },
    });
    expect(existsSync(`${folder.path}/written`)).toBe(false);
  });

  it('comes back to the model under on-request, which may ask to leave the sandbox', async () => {
    await using watch = watched(await suite.connect(), setting('on-request', { allow: true }));
    const denied = await watch.tool.execCommand({ cmd: 'touch written' });
    expect(denied.structured.exit_code).toBe(1);
    expect(asked).toEqual([]);
    const escalated = {
      cmd: 'touch written',
      sandbox_permissions: 'require_escalated',
      justification: 'because',
    } as const;
    expect((await watch.tool.execCommand(escalated)).structured.exit_code).toBe(0);
    expect(asked).toMatchObject([{ reason: 'policy', escalated: true, justification: 'because' }]);
    expect(existsSync(`${folder.path}/written`)).toBe(true);
  });

  it('was approved to run in the sandbox, so its retry is another question', async () => {
    const answers = [{ allow: true, remember: 'session' }, { allow: false }] as const;
    await using watch = watched(await suite.connect(), setting('untrusted', ...answers));
    const declined = await watch.tool.execCommand({ cmd: 'touch written' });
    expect(declined).toMatchObject({ isError: false, denial: { declined: 'rejected by user' } });
    expect(asked).toMatchObject([
      { reason: 'policy', runs: 'inside' },
      { reason: 'retryWithoutSandbox', runs: 'outside' },
    ]);
    expect(existsSync(`${folder.path}/written`)).toBe(false);
    // What was remembered is that it may run in the sandbox.
    await watch.tool.execCommand({ cmd: 'touch written' });
    expect(asked.map(({ reason }) => reason)).toEqual(['policy', ...Array(2).fill('retryWithoutSandbox')]);
  });

  it('is asked about once per session where the answer says so', async () => {
    await using watch = watched(
      await suite.connect(),
      setting(GRANULAR, { allow: true, remember: 'session' }),
    );
    for (let round = 0; round < 2; round++) {
      expect((await watch.tool.execCommand({ cmd: 'touch written' })).structured.exit_code).toBe(0);
    }
    expect((await watch.tool.execCommand({ cmd: 'touch other' })).structured.exit_code).toBe(0);
    expect(asked.map(({ command }) => command.at(-1))).toEqual(['touch written', 'touch other']);
  });

  it('too late for a retry within the call is offered as an action', async () => {
    const options = { ...setting(GRANULAR, { allow: true }), profile: 'codex' as const };
    await using watch = watched(await suite.connect(), options);
    const late = await watch.tool.execCommand({ cmd: 'sleep 0.5; touch written' }, { callId: 'late' });
    expect(late.structured.exit_code).toBe(1);
    expect(asked).toEqual([]);
    const retried = await late.denial?.retry?.();
    expect(retried?.structured.exit_code).toBe(0);
    expect(await late.denial?.retry?.()).toBe(retried);
    expect(asked).toHaveLength(1);
    expect(existsSync(`${folder.path}/written`)).toBe(true);
  });

  it('too late for a retry within the call stays as it is when the offer is declined', async () => {
    const options = setting(GRANULAR, { allow: false, message: 'not today' });
    await using watch = watched(await suite.connect(), { ...options, profile: { earlyExitMs: 50 } });
    const late = await watch.tool.execCommand({ cmd: 'sleep 0.3; touch written' }, { callId: 'late' });
    const retried = await late.denial?.retry?.();
    expect(retried).toMatchObject({ isError: true, error: { code: 'tool.rejected' } });
    expect(retried?.text).toContain('not today');
    expect(existsSync(`${folder.path}/written`)).toBe(false);
    expect((await watch.types()).at(-1)).toContain('rejected');
  });

  it('that ends during write_stdin is offered as an action too', async () => {
    await using watch = watched(await suite.connect(), setting('on-request', { allow: true }));
    const cmd = 'read line; touch written';
    const started = await watch.tool.execCommand({ cmd, tty: true, yield_time_ms: 300 });
    const ended = await watch.tool.writeStdin({
      session_id: sessionIn(started.text),
      chars: 'go\n',
      yield_time_ms: 5_000,
    });
    expect(ended.structured.exit_code).toBe(1);
    expect(ended.denial).toBeDefined();
    expect(ended.denial?.retry).toBeDefined();
  });

  it('that was let out is typed into only with a yes for each input', async () => {
    const answers = [
      { allow: true, remember: 'session' },
      { allow: false, message: 'not that' },
      { allow: true },
    ] as const;
    await using watch = watched(await suite.connect(), setting('on-request', ...answers));
    const cmd = 'while read -r line; do eval "$line"; done';
    const wish = { sandbox_permissions: 'require_escalated', justification: 'to greet' } as const;
    const started = await watch.tool.execCommand({ cmd, tty: true, yield_time_ms: 300, ...wish });
    const session_id = sessionIn(started.text);
    const refused = await watch.tool.writeStdin({ session_id, chars: 'touch written\n' });
    expect(refused).toMatchObject({ isError: true, error: { code: 'tool.rejected' } });
    expect(refused.text).toMatch(/^write_stdin rejected: not that\. /);
    expect(existsSync(`${folder.path}/written`)).toBe(false);
    expect((await watch.tool.writeStdin({ session_id, chars: '' })).isError).toBe(false);
    await watch.tool.writeStdin({ session_id, chars: 'touch other; exit 0\n', yield_time_ms: 5_000 });
    expect(existsSync(`${folder.path}/other`)).toBe(true);
    expect(asked.slice(1)).toMatchObject([
      { reason: 'input', runs: 'outside', input: { sessionId: session_id, chars: 'touch written\n' } },
      { reason: 'input', input: { chars: 'touch other; exit 0\n' } },
    ]);
  });

  it('that was let out and has no terminal is not asked about input that it cannot take', async () => {
    await using watch = watched(await suite.connect(), setting('on-request', { allow: true }));
    const wish = { sandbox_permissions: 'require_escalated', justification: 'to wait' } as const;
    const started = await watch.tool.execCommand({ cmd: 'sleep 60', yield_time_ms: 300, ...wish });
    const session_id = sessionIn(started.text);
    expect((await watch.tool.writeStdin({ session_id, chars: 'x' })).error?.code).toBe('tool.stdinClosed');
    expect(asked).toHaveLength(1);
  });

  it('does not get another workspace by another folder', async () => {
    const options = { ...setting('never'), cwd: suite.directory(), sandbox: workspaceWrite() };
    await using watch = watched(await suite.connect(), options);
    const own = await watch.tool.execCommand({ cmd: 'touch written && echo wrote' });
    expect(bodyOf(own.text)).toBe('wrote\n');
    const other = await watch.tool.execCommand({ cmd: 'touch /usr/written', workdir: '/usr' });
    expect(other).toMatchObject({ denial: {}, structured: { exit_code: 1 } });
  });

  it('is retried over a connection that broke in between', async () => {
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address);
    try {
      await using watch = watched(client, {
        ...setting(GRANULAR),
        approve: () => {
          proxy.cut();
          return { allow: true };
        },
      });
      const output = await watch.tool.execCommand({ cmd: 'echo hello > written && cat written' });
      expect(bodyOf(output.text)).toBe('hello\n');
      expect(proxy.cuts).toBe(1);
      expect((await watch.types()).filter((type) => type === 'begin' || type === 'end')).toEqual([
        'begin',
        'end',
      ]);
    } finally {
      await client.close();
      await proxy.close();
    }
  });
});
