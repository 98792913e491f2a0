import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendAllowRule } from './append-allow-rule.js';
import { parsePolicy } from './parse-policy.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'execpolicy-'));
  file = join(folder, 'rules', 'default.rules');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const content = (): string => readFileSync(file, 'utf8');
const put = (text: string): void => {
  mkdirSync(join(folder, 'rules'), { recursive: true });
  writeFileSync(file, text);
};

describe('appendAllowRule', () => {
  it('makes the file and its folder', async () => {
    await appendAllowRule(file, ['git', 'commit', '-m', 'a "b"']);
    expect(content()).toBe('prefix_rule(pattern=["git", "commit", "-m", "a \\"b\\""], decision="allow")\n');
    expect(readdirSync(join(folder, 'rules'))).toEqual(['default.rules']);
  });

  it('keeps what is there, also without a last newline', async () => {
    put('# mine\nprefix_rule(["ls"])');
    await appendAllowRule(file, ['git']);
    expect(content()).toBe('# mine\nprefix_rule(["ls"])\nprefix_rule(pattern=["git"], decision="allow")\n');
  });

  it('does nothing the second time', async () => {
    await appendAllowRule(file, ['git']);
    const before = content();
    await appendAllowRule(file, ['git']);
    expect(content()).toBe(before);
  });

  it('loses nothing and doubles nothing when many append at once', async () => {
    const commands = Array.from({ length: 20 }, (_, index) => ['git', String(index % 10)]);
    await Promise.all(commands.map((command) => appendAllowRule(file, command)));
    expect(content().trim().split('\n')).toHaveLength(10);
  });

  it('takes over a lock that was left behind', async () => {
    put('');
    writeFileSync(`${file}.lock`, '');
    utimesSync(`${file}.lock`, 0, 0);
    await appendAllowRule(file, ['git']);
    expect(content()).toContain('"git"');
  });

  it('refuses a broken file, where the line could mean something else', async () => {
    put('x = """\n');
    await expect(appendAllowRule(file, ['git'])).rejects.toMatchObject({ code: 'RULES_SYNTAX' });
    expect(content()).toBe('x = """\n');
    expect(readdirSync(join(folder, 'rules'))).toEqual(['default.rules']);
  });

  it('refuses a link, a folder, a pipe', async () => {
    put('');
    symlinkSync(file, join(folder, 'link.rules'));
    mkdirSync(join(folder, 'folder.rules'));
    execFileSync('mkfifo', [join(folder, 'pipe.rules')]);
    for (const name of ['link', 'folder', 'pipe']) {
      await expect(appendAllowRule(join(folder, `${name}.rules`), ['git'])).rejects.toMatchObject({
        code: 'RULES_UNWRITABLE',
      });
    }
  });

  it('refuses what no rule can say', async () => {
    await expect(appendAllowRule(file, [])).rejects.toMatchObject({ code: 'RULES_INVALID' });
    await expect(appendAllowRule(file, ['\ud800'])).rejects.toMatchObject({ code: 'RULES_INVALID' });
  });

  it('quotes every word so that the rule matches it and nothing else', async () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (command) => {
        rmSync(join(folder, 'rules'), { recursive: true, force: true });
        await appendAllowRule(file, command);
        const policy = parsePolicy({ file, text: content() });
        expect(policy.check(command).decision).toBe('allow');
        expect(policy.check([`${command[0]}x`, ...command.slice(1)]).decision).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});
