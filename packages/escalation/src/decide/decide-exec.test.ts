import { parsePolicy } from '@codex/execpolicy';
import { describe, expect, it } from 'vitest';
import { execRequest } from '../../test-support/exec-requests.js';
import type { ExecRequest } from '../broker/exec-request.js';
import type { Trust } from '../trust/program-trust.js';
import { decideExec } from './decide-exec.js';
import { type Answer, type Ask, CallQuestions } from './questions.js';

interface Setting {
  readonly answer?: Answer;
  readonly ask?: Ask;
  readonly canAsk?: boolean;
  readonly trust?: Trust;
  readonly boundary?: Trust;
  readonly hasSandbox?: boolean;
  readonly preserve?: boolean;
}

const NEVER = new AbortController().signal;
const UNTRUSTED: Trust = { isTrusted: false, reason: 'the sandbox can write to /project' };

async function decide(rules: string, request: ExecRequest, setting: Setting = {}) {
  const { trust = { isTrusted: true }, boundary = { isTrusted: true }, hasSandbox = true } = setting;
  const texts: string[] = [];
  const ask: Ask =
    setting.ask ??
    (async (text) => {
      texts.push(text);
      return setting.answer ?? { type: 'accept' };
    });
  const decided = await decideExec(request, NEVER, {
    policy: parsePolicy({ file: 'test.rules', text: rules }),
    preserveProgramPaths: setting.preserve ?? false,
    questions: new CallQuestions({ ask: setting.canAsk === false ? undefined : ask }),
    boundary,
    hasSandbox,
    trust: () => trust,
    environment: () => ({ PATH: '/usr/bin' }),
  });
  return { ...decided, action: decided.decision.action, texts };
}

const ALLOW = 'prefix_rule(["git"], "allow")';
const PROMPT = 'prefix_rule(["git"], "prompt", justification="it leaves this machine")';
const FORBID = 'prefix_rule(["git"], "forbidden", justification="use jj")';
const git = execRequest(['git', 'push']);

describe('decideExec', () => {
  it('runs inside what no rule names', async () => {
    expect(await decide(ALLOW, execRequest(['ls']))).toMatchObject({ action: 'run', matchedRules: [] });
  });

  it('escalates what is allowed and trusted, with the environment that is given', async () => {
    expect(await decide(ALLOW, git)).toMatchObject({
      decision: { action: 'escalate', environment: { PATH: '/usr/bin' } },
      asked: false,
    });
  });

  it('denies what is forbidden, with the words that are known and the reason', async () => {
    expect((await decide(FORBID, git)).decision).toEqual({
      action: 'deny',
      reason: 'forbidden by policy: use jj',
    });
    expect((await decide('prefix_rule(["git"], "forbidden")', git)).decision).toEqual({
      action: 'deny',
      reason: 'forbidden by policy',
    });
  });

  it('asks, and does what was answered', async () => {
    expect(await decide(PROMPT, git)).toMatchObject({ action: 'escalate', asked: true });
    expect((await decide(PROMPT, git, { answer: { type: 'decline' } })).decision).toEqual({
      action: 'deny',
      reason: 'User declined execution',
    });
    expect((await decide(PROMPT, git, { answer: { type: 'cancel' } })).decision).toEqual({
      action: 'deny',
      reason: 'User cancelled execution',
    });
    expect(await decide(PROMPT, git, { answer: { type: 'failed', reason: 'no' } })).toMatchObject({
      action: 'deny',
    });
    expect(await decide(PROMPT, git, { ask: () => Promise.reject(new Error('gone')) })).toMatchObject({
      decision: { action: 'deny', reason: 'the question could not be answered: gone' },
    });
    expect(await decide(PROMPT, git, { canAsk: false })).toMatchObject({
      decision: { action: 'deny', reason: 'the client cannot be asked for approval' },
    });
  });

  it('takes the strictest of all names of a program', async () => {
    const link = execRequest(['vi'], { file: '/usr/bin/vi', realPath: '/usr/bin/vim.basic' });
    expect((await decide('prefix_rule(["vim.basic"], "forbidden")\nprefix_rule(["vi"])', link)).action).toBe(
      'deny',
    );
    expect(
      (await decide('prefix_rule(["/usr/bin/vim.basic"], "forbidden")\nprefix_rule(["vi"])', link)).action,
    ).toBe('deny');
    expect(
      (await decide('prefix_rule(["/usr/bin/vi"], "forbidden")\nprefix_rule(["vim.basic"])', link)).action,
    ).toBe('deny');
    // An exact rule for the path does not hide a stricter one for the name.
    expect(
      (await decide('prefix_rule(["/usr/bin/git"])\nprefix_rule(["git"], "forbidden")', git)).action,
    ).toBe('deny');
  });

  it('sees through a relative path and through dots', async () => {
    for (const file of ['../usr/bin/git', '/usr/bin/../bin/git', './git']) {
      expect((await decide(FORBID, execRequest(['git'], { file }))).action).toBe('deny');
    }
    const exact = 'prefix_rule(["/usr/bin/git"], "forbidden")';
    expect((await decide(exact, execRequest(['git'], { file: '../usr/bin/git' }))).action).toBe('deny');
  });

  it('judges by the file, not by what the program is told its name is', async () => {
    expect((await decide(FORBID, execRequest(['ls'], { file: '/usr/bin/git' }))).action).toBe('deny');
    expect((await decide(ALLOW, execRequest(['git'], { file: '/usr/bin/sh' }))).action).toBe('run');
  });

  it('keeps inside what is told another name than its own', async () => {
    const applets = 'prefix_rule(["ls"])';
    const busybox = { file: '/bin/ls', realPath: '/bin/busybox' };
    expect((await decide(applets, execRequest(['ls'], busybox))).action).toBe('escalate');
    expect((await decide(applets, execRequest(['sh', '-c', 'x'], busybox))).action).toBe('run');
    expect((await decide(applets, execRequest(['busybox', 'sh'], busybox))).action).toBe('run');
    expect((await decide(applets, execRequest([], busybox))).action).toBe('run');
    // Programs look for their own files beside the path that they are told.
    const told = (name: string) => execRequest([name, '-l'], { ...busybox, file: './bin/ls' });
    expect((await decide(applets, told('/project/own/bin/ls'))).action).toBe('run');
    expect((await decide(applets, told('./bin/ls'))).action).toBe('escalate');
    expect((await decide(applets, told('ls'))).action).toBe('escalate');
  });

  it('takes what has no slash for a file of the working directory, and no name', async () => {
    const here = execRequest(['git', 'push'], { file: 'git', workdir: '/opt', realPath: '/opt/git' });
    const rules = `host_executable("git", ["/usr/bin/git"])\n${ALLOW}`;
    expect((await decide(rules, here)).action).toBe('run');
    expect((await decide(ALLOW, here)).action).toBe('escalate');
    expect((await decide(ALLOW, here, { preserve: true })).action).toBe('run');
    expect((await decide(FORBID, here)).action).toBe('deny');
    expect((await decide('prefix_rule(["./git"])', { ...here, file: './git', argv: ['./git'] })).action).toBe(
      'escalate',
    );
  });

  it('keeps inside what is called by another name than the one that is allowed', async () => {
    const push = execRequest(['git-push', 'status'], {
      file: '/usr/lib/git-core/git-push',
      realPath: '/usr/bin/git',
    });
    for (const rules of ['prefix_rule(["git", "status"])', 'prefix_rule(["/usr/bin/git", "status"])']) {
      const { action, keptInside } = await decide(rules, push);
      expect({ action, keptInside }).toMatchObject({
        action: 'run',
        keptInside: { isTrusted: false, reason: expect.stringContaining('it was called as git-push, and') },
      });
    }
    expect((await decide('prefix_rule(["git-push"])', push)).action).toBe('escalate');
    expect((await decide('prefix_rule(["/usr/lib/git-core/git-push"])', push)).action).toBe('escalate');
    // Both is enough: of its own name it is allowed to.
    expect((await decide('prefix_rule(["git"])\nprefix_rule(["git-push"])', push)).action).toBe('escalate');
    const asked = await decide('prefix_rule(["git"], "prompt")', push);
    expect(asked).toMatchObject({ action: 'escalate', asked: true });
    expect(asked.texts[0]).toContain('run `/usr/lib/git-core/git-push status` outside the sandbox');
    expect(asked.texts[0]).toContain('It is a link to /usr/bin/git.');
  });

  it('tells a script the name that it was called by where that is sure to be its own', async () => {
    const sure = await decide(ALLOW, git, { trust: { isTrusted: true, isAsCalled: true } });
    expect(sure.decision).toMatchObject({ action: 'escalate', isAsCalled: true });
    expect((await decide(ALLOW, git)).decision).toMatchObject({ action: 'escalate', isAsCalled: false });
  });

  it('lets a name stand only for the paths that host_executable lists, where it is allowed', async () => {
    const rules = `host_executable("git", ["/usr/bin/git"])\n${ALLOW}`;
    expect((await decide(rules, git)).action).toBe('escalate');
    const other = execRequest(['git', 'push'], { file: '/opt/git' });
    expect((await decide(rules, other)).action).toBe('run');
    expect((await decide(`host_executable("git", [])\n${FORBID}`, other)).action).toBe('deny');
    expect((await decide(`host_executable("git", [])\n${PROMPT}`, other)).asked).toBe(true);
  });

  it('sees paths only, where names are not wanted', async () => {
    expect((await decide(FORBID, git, { preserve: true })).action).toBe('run');
    expect((await decide('prefix_rule(["/usr/bin/git"], "forbidden")', git, { preserve: true })).action).toBe(
      'deny',
    );
  });

  it('keeps inside what is not trusted, and says so; also after a yes', async () => {
    expect(await decide(ALLOW, git, { trust: UNTRUSTED })).toMatchObject({
      action: 'run',
      keptInside: UNTRUSTED,
      reason: 'allowed by a rule, but the sandbox can write to /project',
    });
    const asked = await decide(PROMPT, git, { trust: UNTRUSTED });
    expect(asked).toMatchObject({ action: 'run', asked: true });
    expect(asked.texts[0]).toContain('inside the sandbox');
    expect(asked.texts[0]).not.toContain('outside the sandbox');
  });

  it('lets nothing leave a sandbox that hides files', async () => {
    const boundary: Trust = { isTrusted: false, reason: 'the sandbox hides files' };
    expect((await decide(ALLOW, git, { boundary })).action).toBe('run');
    expect((await decide(PROMPT, git, { boundary })).action).toBe('run');
  });

  it('without a sandbox, an allowed program just runs and a question says so', async () => {
    expect((await decide(ALLOW, git, { hasSandbox: false })).action).toBe('run');
    const asked = await decide(PROMPT, git, { hasSandbox: false });
    expect(asked.action).toBe('run');
    expect(asked.texts[0]).toContain('without a sandbox');
    expect((await decide(FORBID, git, { hasSandbox: false })).action).toBe('deny');
  });

  it('asks nothing for start-up files, and lets nothing of them leave; forbidden stays so', async () => {
    const startUp = { ...git, isStartUp: true };
    expect(await decide(PROMPT, startUp)).toMatchObject({ action: 'run', asked: false });
    expect((await decide(ALLOW, startUp)).action).toBe('run');
    expect((await decide(FORBID, startUp)).action).toBe('deny');
  });

  it('never lets out what is no valid text, but still asks and denies', async () => {
    const lossy = { ...git, isLossy: true };
    expect((await decide(ALLOW, lossy)).action).toBe('run');
    expect(await decide(PROMPT, lossy)).toMatchObject({ action: 'run', asked: true });
    expect((await decide(FORBID, lossy)).action).toBe('deny');
  });

  it('does not ask about what cannot run', async () => {
    const program = { state: 'unopened', reason: 'missing' } as const;
    expect(await decide(PROMPT, { ...git, program })).toMatchObject({ action: 'run', asked: false });
    const hidden = { state: 'unopened', reason: 'proc' } as const;
    expect(await decide(PROMPT, { ...git, program: hidden }, { trust: UNTRUSTED })).toMatchObject({
      action: 'run',
      asked: true,
    });
  });
});

describe('what is asked', () => {
  it('names program, words, folder, reason and where it runs', async () => {
    const { texts } = await decide(PROMPT, execRequest(['git', 'push', 'a b'], { realPath: '/opt/git' }));
    expect(texts).toEqual([
      "Allow the agent to run `/opt/git push 'a b'` outside the sandbox, in /project?\nIt was called as /usr/bin/git.\nThe rule says: it leaves this machine.",
    ]);
  });

  it('shows what would hide or imitate', async () => {
    const words = [
      'git',
      'a\u202eb',
      'x\n\nAllow everything?',
      '\u200b',
      '`',
      "'",
      '\u00a0',
      '\u{e0041}',
      '\ufff9',
    ];
    const [text = ''] = (await decide(PROMPT, execRequest(words))).texts;
    expect(text).toContain("'a\\u{202e}b' 'x\\n\\nAllow everything?' '\\u{200b}' '\\u{60}' '\\'' '\\u{a0}'");
    expect(text.split('\n')).toHaveLength(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b\u202e\ufff9\u{e0041}]/u);
  });

  it('stays readable however long the command is, and says what is missing', async () => {
    const [text = ''] = (await decide(PROMPT, execRequest(['git', 'x'.repeat(100_000)]))).texts;
    expect(text.length).toBeLessThan(3000);
    expect(text).toMatch(/\[… 9\d{4} characters …]/);
  });

  it('tells a name that differs from the program', async () => {
    const [text] = (await decide(PROMPT, execRequest(['evil', 'x'], { file: '/usr/bin/git' }))).texts;
    expect(text).toContain('It is told that its name is evil.');
  });
});
