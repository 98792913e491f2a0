import { expect, it } from 'vitest';
import { rightsOfScope } from './scope-rights.js';

it('reads what a token grants, and nothing into a token that says nothing', () => {
  expect(rightsOfScope(undefined)).toEqual({ grants: ['own'] });
  expect(rightsOfScope('openid profile')).toEqual({ grants: ['own'] });
  expect(rightsOfScope('openid exec.observe exec.stop')).toEqual({
    grants: ['observe', 'stop'],
    seesOthers: false,
  });
  expect(rightsOfScope('exec.observe exec.others exec.everything')).toEqual({
    grants: ['observe'],
    seesOthers: true,
  });
  // A word that is misspelt must not give more than it meant.
  expect(rightsOfScope('exec.observer')).toEqual({ grants: [], seesOthers: false });
});
