import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesAny } from './env-pattern.js';
import { childEnvironment, type EnvPolicy } from './env-policy.js';

const serverEnv = {
  PATH: '/usr/bin',
  HOME: '/home/me',
  lang: 'C',
  EDITOR: 'vi',
  GITHUB_TOKEN: 'ghp',
  ApiKeyName: 'k',
  CLIENT_SECRET: 's',
  NODE_REPL_AUTH_TOKEN: 'own',
  CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE: '1',
  ABSENT: undefined,
};

const inheritAll: EnvPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};

const build = (policy: Partial<EnvPolicy> | null, env: Record<string, string> = {}) => ({
  ...childEnvironment({ env, policy: policy && { ...inheritAll, ...policy }, serverEnv }),
});

describe('childEnvironment', () => {
  it('is exactly what was asked for without a policy', () => {
    expect(build(null, { A: '1' })).toEqual({ A: '1' });
  });

  it('never passes on the server’s own secrets, asked for or inherited, in any case', () => {
    const env = { node_repl_auth_token: 'x', CODEX_EXEC_SERVER_TOKEN: 'y', A: '1' };
    expect(build(null, env)).toEqual({ A: '1' });
    expect(Object.keys(build({}, env))).not.toContain('NODE_REPL_AUTH_TOKEN');
    expect(Object.keys(build({}))).not.toContain('CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE');
  });

  it('drops the stdin switch by its exact name only', () => {
    expect(build(null, { codex_exec_server_exit_on_stdin_close: '1' })).toEqual({
      codex_exec_server_exit_on_stdin_close: '1',
    });
  });

  it('inherits all, the core set in any case, or nothing', () => {
    expect(Object.keys(build({ inherit: 'all' })).sort()).toEqual(
      ['ApiKeyName', 'CLIENT_SECRET', 'EDITOR', 'GITHUB_TOKEN', 'HOME', 'PATH', 'lang'].sort(),
    );
    expect(build({ inherit: 'core' })).toEqual({ PATH: '/usr/bin', HOME: '/home/me', lang: 'C' });
    expect(build({ inherit: 'none' })).toEqual({});
  });

  it('drops names that look like secrets unless told not to', () => {
    expect(Object.keys(build({ ignoreDefaultExcludes: false })).sort()).toEqual([
      'EDITOR',
      'HOME',
      'PATH',
      'lang',
    ]);
  });

  it('excludes before it sets, and applies includeOnly to what was set', () => {
    expect(build({ exclude: ['e?itor'], set: { EDITOR: 'ed' } })['EDITOR']).toBe('ed');
    expect(build({ set: { FOO: '1', BAR: '2' }, includeOnly: ['f*', 'PATH'] })).toEqual({
      FOO: '1',
      PATH: '/usr/bin',
    });
  });

  it('refuses patterns that would take long for so many variables, and matches plain names at once', () => {
    const set = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`VARIABLE_${index}`, '']));
    const patterns = (suffix: string) => Array.from({ length: 2000 }, (_, index) => `X${index}${suffix}`);
    expect(() => build({ set, exclude: patterns('*') })).toThrow(/use fewer patterns with wildcards/);
    expect(() => build({ set, includeOnly: patterns('?') })).toThrow(/use fewer patterns with wildcards/);
    const start = performance.now();
    expect(Object.keys(build({ set, exclude: patterns('') }))).toContain('VARIABLE_1');
    expect(performance.now() - start).toBeLessThan(1500);
  });

  it('lays the request’s variables on top, unfiltered', () => {
    expect(build({ inherit: 'none', exclude: ['*'], includeOnly: ['X'] }, { MY_TOKEN: 't' })).toEqual({
      MY_TOKEN: 't',
    });
  });

  it('treats a variable named like a prototype key as a variable', () => {
    const env = JSON.parse('{"__proto__":"p","constructor":"c"}') as Record<string, string>;
    const result = childEnvironment({ env, policy: null, serverEnv });
    expect(Object.entries(result)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
  });
});

describe('matchesAny', () => {
  it('matches the whole name, in any case, with stars and question marks', () => {
    const cases: [string, string, boolean][] = [
      ['A*', 'abc', true],
      ['A*', 'ba', false],
      ['?', 'x', true],
      ['?', 'xy', false],
      ['a.c', 'abc', false],
      ['[a]', '[A]', true],
      ['***', '', true],
      ['*a*b*', 'xaxbx', true],
    ];
    for (const [pattern, name, expected] of cases)
      expect([pattern, name, matchesAny([pattern])(name)]).toEqual([pattern, name, expected]);
  });

  it('treats every character but the two wildcards as itself', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const literal = text.replaceAll(/[*?]/g, '');
        expect(matchesAny([literal])(literal)).toBe(true);
        expect(matchesAny([literal])(`${literal}x`)).toBe(false);
      }),
    );
  });

  it('answers quickly for a pattern of many stars', () => {
    const started = performance.now();
    matchesAny([`${'*a'.repeat(1000)}x`])('a'.repeat(2000));
    expect(performance.now() - started).toBeLessThan(200);
  });
});
