// Which commands the rules of a file stop: the real CLI and UnifiedExec with the same file, script by script.
import { ExecServerClient } from '@codex/exec-client';
import { parsePolicy } from '@codex/execpolicy';
import { readOnly } from '@codex/sandbox';
import { UnifiedExec } from '@codex/unified-exec';
import { expect, it } from 'vitest';
import { ApprovingAppServer } from '../cli/approving-app-server.js';
import { makeWorkspace, playTurn } from '../cli/play-turn.js';
import { codex, serverCommand } from '../servers/exec-servers.js';
import { ServerProgram } from '../servers/server-program.js';

const RULES = `
prefix_rule(["echo", "ask"], "prompt")
prefix_rule(["echo", "no"], "forbidden", justification="never say no")
prefix_rule(["true"])
`;

const SCRIPTS = [
  'echo fine',
  'echo ask',
  'echo no',
  'true && echo ask',
  'true; echo no',
  'true | echo ask',
  'false || echo ask',
  'true\necho ask',
  "'echo' ask",
  'echo "ask"',
  "echo 'ask' more",
  'echo ask > /dev/null',
  'echo no 2>&1',
  'echo $HOME; echo ask',
  'echo "$(echo no)"',
  'X=1 echo ask',
  '(echo ask)',
  'if true; then echo no; fi',
  'echo ask # why',
  'echo ask *',
  'echo a\\ sk',
  '/bin/echo ask',
  '/usr/bin/echo no',
  'env echo ask',
  'bash -c "echo ask"',
  'true & echo ask',
  'echo fine && true',
  'echo ask &',
  '! echo ask',
  'cat <<< ask',
];

type Verdict = 'asked' | 'forbidden' | 'ran';

function verdictOf(text: string, questions: number): Verdict {
  if (questions > 0) return 'asked';
  return text.includes('never say no') ? 'forbidden' : 'ran';
}

async function playOnCodex(workspace: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  await playTurn(
    async (model, { codex: program }) => {
      if (!(program instanceof ApprovingAppServer)) throw new Error('this turn has nobody who answers');
      for (const cmd of SCRIPTS) {
        const before = program.asked.length;
        const text = JSON.stringify(await model.say('exec_command', JSON.stringify({ cmd, login: false })));
        verdicts.push(verdictOf(text, program.asked.length - before));
      }
    },
    { server: 'ours', workspace },
    { sandbox: 'read-only', approving: true, cliFiles: { 'rules/default.rules': RULES } },
  );
  return verdicts;
}

async function playOnUnifiedExec(workspace: string): Promise<Verdict[]> {
  const home = codex().makeHome();
  const server = await ServerProgram.start(serverCommand('ours', { home: home.path }));
  let questions = 0;
  try {
    await using client = await ExecServerClient.connect(server.url);
    await using tool = new UnifiedExec(client, {
      cwd: workspace,
      sandbox: readOnly(),
      rules: parsePolicy({ file: 'default.rules', text: RULES }),
      approve: () => {
        questions++;
        return { allow: true };
      },
    });
    const verdicts: Verdict[] = [];
    for (const cmd of SCRIPTS) {
      questions = 0;
      const { text } = await tool.execCommand({ cmd, login: false });
      verdicts.push(verdictOf(text, questions));
    }
    return verdicts;
  } finally {
    await server.stop();
    home.remove();
  }
}

/** Ours looks through quotes around a program, and at commands with patterns. */
const STRICTER: Readonly<Record<string, Verdict>> = { "'echo' ask": 'asked', 'echo ask *': 'asked' };

it('stop the same scripts, and two more', async () => {
  const workspace = makeWorkspace();
  try {
    const real = await playOnCodex(workspace.path);
    const ours = await playOnUnifiedExec(workspace.path);
    const named = (verdicts: Verdict[]) => Object.fromEntries(SCRIPTS.map((cmd, at) => [cmd, verdicts[at]]));
    expect(named(ours)).toEqual({ ...named(real), ...STRICTER });
    expect(Object.keys(STRICTER).map((cmd) => named(real)[cmd])).toEqual(['ran', 'ran']);
  } finally {
    workspace.remove();
  }
});
