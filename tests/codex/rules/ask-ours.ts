// The same question to our package, in this process.
import { checkJson, ExecPolicyError, parsePolicy } from '@codex/execpolicy';
import { CWD, HOME, type RulesAnswer, type RulesQuestion } from './rules-case.js';

export interface OurAnswer extends RulesAnswer {
  readonly error?: ExecPolicyError;
}

export function askOurs({ files, command, resolve }: RulesQuestion): OurAnswer {
  try {
    const policy = parsePolicy(files.map((text, index) => ({ file: `${index}.rules`, text })));
    const result = policy.check(command, { resolveHostExecutables: resolve, cwd: CWD, home: HOME });
    return { code: 0, stdout: `${checkJson(result)}\n` };
  } catch (error) {
    if (!(error instanceof ExecPolicyError)) throw error;
    return { code: 1, stdout: '', error };
  }
}
