import { expect, it } from 'vitest';
import { ownUserFindings } from './own-user-findings.js';

it('an ordinary user with a program of one name has nothing to be told', () => {
  expect(ownUserFindings({ uid: 1000, programLinks: 1 })).toEqual([]);
  expect(ownUserFindings({ uid: undefined, programLinks: undefined })).toEqual([]);
});

it('root is told of the device files, and whoever has a program of several names of these', () => {
  expect(ownUserFindings({ uid: 0, programLinks: 3 })).toMatchObject([
    { topic: 'user', status: 'weaker', detail: expect.stringContaining('/dev/null') },
    { topic: 'program', status: 'weaker', detail: expect.stringContaining('has 3 names') },
  ]);
});
