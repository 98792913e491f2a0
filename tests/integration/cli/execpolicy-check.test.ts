// `execpolicy check` of the built program: what it prints, and how it ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CodexCommand } from './support/codex-command.js';

const folder = mkdtempSync(join(tmpdir(), 'execpolicy-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);

put('a.rules', 'prefix_rule(["git"])\nprefix_rule(["git", "push"], "prompt", justification="é \\"j\\"")\n');
put('b.rules', 'prefix_rule(["git", "push"], "forbidden")\n');
put('broken.rules', 'x = 1\nprefix_rule(["git"], match=["ls"])\n');

async function check(line: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new CodexCommand(line.split(' '), { cwd: folder }).end;
  return { code, stdout: stdout.toString(), stderr };
}

describe('execpolicy check', () => {
  it('prints one line of JSON and ends with 0, whatever is decided', async () => {
    expect(await check('execpolicy check -r a.rules --rules=b.rules git push --force')).toEqual({
      code: 0,
      stdout:
        '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow"}},{"prefixRuleMatch":{"matchedPrefix":["git","push"],"decision":"prompt","justification":"é \\"j\\""}},{"prefixRuleMatch":{"matchedPrefix":["git","push"],"decision":"forbidden"}}],"decision":"forbidden"}\n',
      stderr: '',
    });
  });

  it('takes the flags of Codex, before and after `check`, and the command after `--`', async () => {
    const { code, stdout } = await check(
      'execpolicy -c x=1 check -c y=2 --enable a --disable b -r a.rules --pretty --resolve-host-executables -- /usr/bin/git -- x',
    );
    expect(code).toBe(0);
    expect(stdout).toBe(`{
  "matchedRules": [
    {
      "prefixRuleMatch": {
        "matchedPrefix": [
          "git"
        ],
        "decision": "allow",
        "resolvedProgram": "/usr/bin/git"
      }
    }
  ],
  "decision": "allow"
}
`);
  });

  it('ends with 1 for rules that are wrong or missing: one message, with the place', async () => {
    expect(await check('execpolicy check -r a.rules -r broken.rules -r missing.rules git')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Error: failed to parse policy at broken.rules\n  the rule does not match these examples: ["ls"]\n  at broken.rules:2:1\n',
    });
    const missing = await check('execpolicy check -r missing.rules git');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toMatch(/^Error: failed to read policy at missing\.rules\n {2}ENOENT.*\n$/);
  });

  it.each([
    'execpolicy',
    'execpolicy judge',
    'execpolicy check',
    'execpolicy check git',
    'execpolicy check -r a.rules',
  ])('%s ends with 2', async (line) => {
    const { code, stdout, stderr } = await check(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--help');
  });

  it.each(['execpolicy --help', 'execpolicy help', 'execpolicy check -r a.rules --help'])(
    '%s is help',
    async (line) => {
      const { code, stdout } = await check(line);
      expect(code).toBe(0);
      expect(stdout).toContain('--resolve-host-executables');
    },
  );

  it('refuses what is nested too deep, on the stack that the program has', async () => {
    put('deep.rules', `def f(n): return ${'['.repeat(190)}f(n)${']'.repeat(190)}\nf(1)\n`);
    const { code, stderr } = await check('execpolicy check -r deep.rules git');
    expect(code).toBe(1);
    expect(stderr).toContain('expressions and calls are nested too deep');
  });
});
