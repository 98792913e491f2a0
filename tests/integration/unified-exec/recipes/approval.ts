import type { ExecServerClient } from '@codex/exec-client';
import { readOnly } from '@codex/sandbox';
import { UnifiedExec } from '@codex/unified-exec';

export async function recipe(
  client: ExecServerClient,
  project: string,
  confirm: (question: string) => Promise<boolean>,
): Promise<string> {
  // readme
  await using exec = new UnifiedExec(client, {
    cwd: project,
    sandbox: readOnly(),
    approvalPolicy: { granular: { sandboxApproval: true, rules: true } },
    approve: async ({ reason, runs, command, input, evidence }) => {
      const what = input === undefined ? command.at(-1) : `type ${JSON.stringify(input.chars)}`;
      const why = reason === 'retryWithoutSandbox' ? ` (denied: ${evidence ?? 'no evidence'})` : '';
      const allow = await confirm(`${what}: do it ${runs} the sandbox?${why}`);
      return allow ? { allow, remember: 'session' } : { allow, message: 'the user said no' };
    },
    rules: ([, , script]) =>
      script?.includes('git push')
        ? { decision: 'forbidden', justification: 'pushing is for people' }
        : undefined,
    profile: { earlyExitMs: 2_000 }, // denials within two seconds are retried inside the same call
  });
  const { text } = await exec.execCommand({ cmd: 'echo hello > greeting && cat greeting' });
  // end
  return text;
}
