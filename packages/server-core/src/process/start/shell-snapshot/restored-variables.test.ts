import { describe, expect, it } from 'vitest';
import { givenFunctions, removedVariables, restoredVariables } from './restored-variables.js';

const variable = (name: string, isExported = true) => ({
  name,
  isExported,
  declaration: `declare ${name}=1`,
});
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
const none = new Set<string>();
const policy = {
  inherit: 'all',
  exclude: [],
  set: {},
  includeOnly: [],
  ignoreDefaultExcludes: true,
} as const;

describe('restoredVariables', () => {
  const all = ['A', 'MY_TOKEN', 'SHLVL', 'PWD', 'BASH_ENV', 'NODE_REPL_AUTH_TOKEN'].map((name) =>
    variable(name),
  );

  it('leaves out what the shell makes itself, what the request gives, and secrets of the server', () => {
    expect(names(restoredVariables(all, { policy: null, given: none }))).toEqual(['A', 'MY_TOKEN']);
    expect(names(restoredVariables(all, { policy: null, given: new Set(['A']) }))).toEqual(['MY_TOKEN']);
  });

  it('applies the policy to what is exported', () => {
    const secret = { ...policy, ignoreDefaultExcludes: false };
    expect(names(restoredVariables(all, { policy: secret, given: none }))).toEqual(['A']);
    const plain = [variable('MY_TOKEN', false)];
    expect(names(restoredVariables(plain, { policy: secret, given: none }))).toEqual(['MY_TOKEN']);
    expect(names(restoredVariables(all, { policy: { ...policy, exclude: ['a'] }, given: none }))).toEqual([
      'MY_TOKEN',
    ]);
    expect(names(restoredVariables(all, { policy: { ...policy, includeOnly: ['A'] }, given: none }))).toEqual(
      ['A'],
    );
  });
});

describe('removedVariables', () => {
  it('names what is gone, apart from what the request gives and what is no name for a shell', () => {
    const environment = ['KEPT', 'GONE', 'GIVEN', 'SHLVL', 'a.b'];
    expect(removedVariables(environment, [variable('KEPT')], new Set(['GIVEN']))).toEqual(['GONE']);
  });

  it('names what is no longer exported or has no value', () => {
    expect(removedVariables(['A'], [variable('A', false)], none)).toEqual(['A']);
    const withoutValue = { ...variable('A'), declaration: 'declare -x A' };
    expect(removedVariables(['A'], [withoutValue], none)).toEqual(['A']);
  });
});

describe('givenFunctions', () => {
  it('names the functions of an environment', () => {
    expect(givenFunctions(['A', 'BASH_FUNC_f%%', 'BASH_FUNC_a-b%%', 'BASH_FUNC_'])).toEqual(['f', 'a-b']);
  });
});
