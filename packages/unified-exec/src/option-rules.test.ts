import { ExecServerError } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { checkUnifiedExecOptions } from './option-rules.js';

function wrong(options: unknown): unknown {
  try {
    checkUnifiedExecOptions(options);
    return 'nothing';
  } catch (error) {
    return ExecServerError.is(error, 'argument.invalid') ? error.message : error;
  }
}

describe('options', () => {
  it.each([
    {},
    { sandbox: undefined, approve: () => ({ allow: true }) },
    { profile: 'codex', cwd: '/project', policy: { tokens: 5 }, tokenizer: () => 1 },
    { profile: { maxProcesses: 2 }, cwd: 'C:\\project', policy: { bytes: 5 }, timeoutMs: 5_000 },
    { approvalPolicy: { granular: { sandboxApproval: true, rules: false } }, rules: () => undefined },
    { rules: { check: () => undefined }, childEnv: { A: 'b' }, inheritEnv: 'core', allowLogin: false },
    { sandbox: { fileSystem: { type: 'unrestricted' }, network: 'enabled' }, environmentId: 'x' },
  ])('may be %j', (options) => {
    expect(wrong(options)).toBe('nothing');
  });

  it.each([
    // Otherwise commands would run without one.
    [{ sanbox: {} }, 'UnifiedExec has no option `sanbox`; did you mean `sandbox`?'],
    [{ sandboxPolicy: {} }, 'UnifiedExec has no option `sandboxPolicy`; did you mean `sandbox`?'],
    [
      { sandbox: 'read-only' },
      "UnifiedExec: `sandbox` is a policy, such as readOnly() of @codex/sandbox, not 'read-only'",
    ],
    [{ sandbox: null }, 'UnifiedExec: `sandbox` is a policy, such as readOnly() of @codex/sandbox, not null'],
    [
      { approvalPolicy: 'on-failure' },
      "UnifiedExec: `approvalPolicy` is 'never', 'on-request', 'untrusted' or { granular }, not 'on-failure'",
    ],
    [{ approvalPolicy: { granular: { sandboxApproval: true } } }, 'granular needs the option `rules`'],
    [
      { approvalPolicy: { granular: { sandboxApproval: 'yes', rules: true } } },
      'granular: `sandboxApproval` is true or false',
    ],
    [{ approve: 'yes' }, "UnifiedExec: `approve` is a function, not 'yes'"],
    [{ profile: 'codx' }, "UnifiedExec: `profile` is 'codex' or limits, not 'codx'"],
    [{ profile: { maxYield: 3 } }, 'profile has no option `maxYield`; did you mean `maxYieldMs`?'],
    [{ profile: { maxProcesses: Number.NaN } }, 'profile: `maxProcesses` is a number, 0 or more, not NaN'],
    [{ cwd: 'project' }, "UnifiedExec: `cwd` is an absolute path, not 'project'"],
    [{ policy: { token: 3 } }, 'UnifiedExec: `policy` is { tokens } or { bytes }, a number, 0 or more'],
    [{ policy: { tokens: Number.NaN } }, 'UnifiedExec: `policy` is { tokens } or { bytes }'],
    [{ rules: ['git'] }, 'UnifiedExec: `rules` is a function or a policy, not a list'],
    [{ tokenizer: 4 }, 'UnifiedExec: `tokenizer` is a function, not 4'],
    [{ childEnv: { A: 1 } }, 'UnifiedExec: `childEnv` has A: a value is a string, not 1'],
    [{ timeout: 4 }, 'UnifiedExec has no option `timeout`; did you mean `timeoutMs`?'],
    ['codex', "UnifiedExec takes an object with options, not 'codex'"],
  ])('are not %j', (options, sentence) => {
    expect(wrong(options)).toContain(sentence);
  });
});
