import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../load/parse-policy.js';
import { checkJson } from './check-json.js';

const policyOf = (...texts: string[]) =>
  parsePolicy(texts.map((text, index) => ({ file: `${index}.rules`, text })));

describe('Policy', () => {
  it('takes the strictest decision of all files, and lists the matches in their order', () => {
    const policy = policyOf(
      'prefix_rule(["git"], "prompt", justification="ask")',
      'prefix_rule(["git", ["push", "pull"]], "forbidden")\nprefix_rule(["git"])',
    );
    expect(checkJson(policy.check(['git', 'push', 'x']))).toBe(
      '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"prompt","justification":"ask"}},{"prefixRuleMatch":{"matchedPrefix":["git","push"],"decision":"forbidden"}},{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow"}}],"decision":"forbidden"}',
    );
  });

  it('says nothing about what no rule matches, or about nothing', () => {
    const policy = policyOf('prefix_rule(["git"])');
    expect(policy.check(['ls'])).toEqual({ matchedRules: [], decision: undefined });
    expect(policy.check([])).toEqual({ matchedRules: [], decision: undefined });
    expect(checkJson(policy.check(['ls']), { pretty: true })).toBe('{\n  "matchedRules": []\n}');
  });

  it('resolves a path where it is asked to, from the folder and home it is told', () => {
    const policy = policyOf(
      'host_executable("git", ["/usr/bin/git"])\nprefix_rule(["git"])\nprefix_rule(["ls"])',
    );
    const options = { resolveHostExecutables: true, cwd: '/usr', home: '/home/me' };
    expect(policy.check(['/usr/bin/git']).decision).toBeUndefined();
    expect(policy.check(['bin/../bin/git'], options).matchedRules).toEqual([
      { matchedPrefix: ['git'], decision: 'allow', resolvedProgram: '/usr/bin/git' },
    ]);
    expect(policy.check(['/opt/git'], options).decision).toBeUndefined();
    expect(policy.check(['~/ls'], options).matchedRules[0]?.resolvedProgram).toBe('/home/me/ls');
  });

  it('lists canonical rules of another spelling in the order of the files', () => {
    const rule = (name: string) =>
      `prefix_rule(["${name}"], canonical_matching=True, justification="${name}")`;
    const policy = policyOf([rule('Git'), rule('GIT'), rule('git'), rule('gIT')].join('\n'));
    expect(policy.check(['git']).matchedRules.map(({ justification }) => justification)).toEqual([
      'git',
      'Git',
      'GIT',
      'gIT',
    ]);
  });

  it('lists network rules, in the form they are compared by', () => {
    const policy = policyOf('network_rule(" API.Example.com.:443 ", "https_connect", "deny", "no")');
    expect(policy.networkRules).toEqual([
      { host: 'api.example.com', protocol: 'https', decision: 'forbidden', justification: 'no' },
    ]);
  });

  it('lists hosts and rules', () => {
    const policy = policyOf(
      'host_executable("git", ["/usr/bin/git", "/usr/./bin/git"])\nprefix_rule([["a", "b"], "c"])',
    );
    expect(policy.hostExecutables).toEqual(new Map([['git', ['/usr/bin/git']]]));
    expect(policy.prefixRules.map(({ first, rest }) => [first, rest])).toEqual([
      ['a', [['c']]],
      ['b', [['c']]],
    ]);
  });

  it('does not take its time with words of megabytes that no canonical rule can be about', () => {
    const policy = policyOf('prefix_rule(["straße", ["ab", "cd"]], "prompt", canonical_matching=True)');
    const long = 'İΣ'.repeat(2_000_000);
    expect(policy.check([long]).decision).toBeUndefined();
    expect(policy.check(['STRASSE', long]).decision).toBeUndefined();
    expect(policy.check(['STRASSE', 'CD', long]).decision).toBe('prompt');
  });

  it('compares with very many canonical alternatives as often as a shell executes', () => {
    const policy = policyOf(
      'prefix_rule(["git", ["É" + str(i) for i in range(50000)]], "prompt", canonical_matching=True)',
    );
    for (let count = 0; count < 500; count += 1)
      expect(policy.check(['git', 'other']).decision).toBeUndefined();
    expect(policy.check(['GIT', 'é49999']).decision).toBe('prompt');
  });
});
