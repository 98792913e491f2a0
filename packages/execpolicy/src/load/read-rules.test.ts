import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRules, readPolicy } from './read-rules.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'execpolicy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const rule = (name: string): string => `prefix_rule(["git"], justification="${name}")\n`;

describe('loadRules', () => {
  it('takes regular files that end in .rules, by name, folder after folder', async () => {
    for (const name of ['b.rules', 'a.rules', 'B.rules', '.rules', 'c.rules.bak', 'd.txt'])
      put(name, rule(name));
    mkdirSync(join(folder, 'folder.rules'));
    symlinkSync(put('elsewhere', rule('link')), join(folder, 'link.rules'));
    mkdirSync(join(folder, 'user'));
    writeFileSync(join(folder, 'user', '0.rules'), rule('user'));
    const policy = await loadRules([join(folder, 'missing'), folder, join(folder, 'user')]);
    expect(policy.prefixRules.map(({ justification }) => justification)).toEqual([
      'B.rules',
      'a.rules',
      'b.rules',
      'user',
    ]);
  });

  it('fails as a whole for one broken file', async () => {
    put('a.rules', rule('a'));
    const broken = put('b.rules', 'prefix_rule(');
    await expect(loadRules([folder])).rejects.toMatchObject({ code: 'RULES_SYNTAX', file: broken });
  });
});

describe('readPolicy', () => {
  it.each([
    ['missing', undefined, 'RULES_UNREADABLE'],
    ['not UTF-8', Buffer.from([0x23, 0xff]), 'RULES_UNREADABLE'],
    ['a byte order mark', '\ufeff# rules', 'RULES_SYNTAX'],
    ['too large', '#'.repeat(1024 * 1024 + 1), 'RULES_LIMIT'],
  ])('%s', async (_, text, code) => {
    const file = text === undefined ? join(folder, 'missing') : put('a.rules', text);
    await expect(readPolicy([file])).rejects.toMatchObject({ code, file });
  });

  it('has a sentence that starts as that of codex', async () => {
    const file = join(folder, 'missing.rules');
    await expect(readPolicy([file])).rejects.toThrow(`failed to read policy at ${file}`);
  });
});
