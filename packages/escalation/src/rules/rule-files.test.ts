import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RuleFiles } from './rule-files.js';

let folder: string;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rule-files-'));
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rule = (name: string, decision: string) => `prefix_rule([${JSON.stringify(name)}], "${decision}")\n`;
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const load = (files: string[] = []) =>
  RuleFiles.load({
    folders: [folder, join(folder, 'missing')],
    files: files.map((file) => join(folder, file)),
    onProblem: (message) => problems.push(message),
  });
const decisionOn = async (rules: RuleFiles, name: string) => (await rules.current()).check([name]).decision;

describe('RuleFiles', () => {
  it('reads the folders, then the named files', async () => {
    put('a.rules', rule('git', 'allow'));
    put('named', rule('git', 'prompt'));
    expect(await decisionOn(await load(), 'git')).toBe('allow');
    expect(await decisionOn(await load(['named']), 'git')).toBe('prompt');
  });

  it('does not start with a broken file, or without a named one', async () => {
    await expect(load(['missing.rules'])).rejects.toMatchObject({ code: 'RULES_UNREADABLE' });
    put('a.rules', 'prefix_rule(');
    await expect(load()).rejects.toMatchObject({
      code: 'RULES_SYNTAX',
      place: { file: join(folder, 'a.rules') },
    });
  });

  it('takes in what has changed, was added or removed', async () => {
    const rules = await load();
    expect(await decisionOn(rules, 'git')).toBeUndefined();
    put('a.rules', rule('git', 'allow'));
    expect(await decisionOn(rules, 'git')).toBe('allow');
    put('b.rules', rule('git', 'forbidden'));
    expect(await decisionOn(rules, 'git')).toBe('forbidden');
    rmSync(join(folder, 'b.rules'));
    expect(await decisionOn(rules, 'git')).toBe('allow');
    put('new', rule('git', 'prompt '.trim()));
    renameSync(join(folder, 'new'), join(folder, 'a.rules'));
    expect(await decisionOn(rules, 'git')).toBe('prompt');
    expect(problems).toEqual([]);
  });

  it('keeps the last good rules while a file is broken, and says so once', async () => {
    put('a.rules', rule('git', 'forbidden'));
    const rules = await load();
    put('a.rules', 'prefix_rule([)');
    expect(await decisionOn(rules, 'git')).toBe('forbidden');
    expect(await decisionOn(rules, 'git')).toBe('forbidden');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${join(folder, 'a.rules')}:1:`);
    put('a.rules', rule('git', 'allow'));
    expect(await decisionOn(rules, 'git')).toBe('allow');
  });

  it('keeps them, too, when a named file is gone', async () => {
    put('named', rule('git', 'forbidden'));
    const rules = await load(['named']);
    rmSync(join(folder, 'named'));
    expect(await decisionOn(rules, 'git')).toBe('forbidden');
    expect(problems).toHaveLength(1);
  });

  it('does not follow a link that leads elsewhere later', async () => {
    put('right', rule('git', 'forbidden'));
    put('wrong', rule('git', 'allow'));
    mkdirSync(join(folder, 'links'));
    symlinkSync(join(folder, 'right'), join(folder, 'links', 'link'));
    const rules = await load(['links/link']);
    rmSync(join(folder, 'links', 'link'));
    symlinkSync(join(folder, 'wrong'), join(folder, 'links', 'link'));
    expect(await decisionOn(rules, 'git')).toBe('forbidden');
  });
});
