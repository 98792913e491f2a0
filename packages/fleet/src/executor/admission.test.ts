import { describe, expect, it } from 'vitest';
import type { OpenRequest } from '../channel/opening.js';
import { judgeOpen, type Situation, type VerifyToken } from './admission.js';

const REQUEST: OpenRequest = { v: 1, channel: 'c1', window: 1 };
const ROOM: Situation = {
  state: 'serving',
  freeSlots: 1,
  isCrowded: false,
  isCrowding: () => false,
  isTaken: false,
};
const CLIENT = { role: 'c', key: 'UA' } as const;
const GATEWAY = { role: 'g', key: 'UG' } as const;

const judge = (
  caller: typeof CLIENT | typeof GATEWAY,
  more: Partial<OpenRequest> = {},
  {
    isPinned = false,
    verifyToken,
    ...situation
  }: Partial<Situation> & { isPinned?: boolean; verifyToken?: VerifyToken } = {},
) =>
  judgeOpen(caller, { ...REQUEST, ...more }, { isPinned, situation: { ...ROOM, ...situation }, verifyToken });

describe('who is let in', () => {
  it('is whom the subject names, whatever else is claimed', () => {
    const principal = { identity: 'root', grants: ['approve'] as const };
    expect(judge(CLIENT, { principal })).toEqual({ admitted: { identity: 'nats:UA' }, resumes: false });
  });

  it('is whom a gateway speaks for, with no more than its grants', () => {
    expect(judge(GATEWAY, { principal: { identity: 'jwt:ci', grants: ['observe'] } })).toEqual({
      admitted: { identity: 'gateway:UG:jwt:ci', grants: ['observe'] },
      resumes: false,
    });
  });

  it('needs a token where machines ask for one, except behind a gateway, which asked itself', () => {
    const verifyToken: VerifyToken = (token) =>
      token === 'good' ? { ok: true, identity: 'jwt:me' } : { ok: false, message: 'no' };
    expect(judge(CLIENT, {}, { verifyToken })).toEqual({ answer: { refused: 'no' }, result: 'refused' });
    expect(judge(CLIENT, { token: 'good' }, { verifyToken })).toMatchObject({
      admitted: { identity: 'nats:UA:jwt:me' },
    });
    expect(judge(GATEWAY, {}, { verifyToken })).toHaveProperty('admitted');
  });

  it('is nobody without room, while draining, or where it is crowded; a session is taken up all the same', () => {
    expect(judge(CLIENT, {}, { freeSlots: 0 })).toMatchObject({ answer: { full: true } });
    expect(judge(CLIENT, {}, { state: 'draining' })).toMatchObject({ answer: { draining: true } });
    const resumes = { resumes: true };
    expect(judge(CLIENT, resumes, { isPinned: true, freeSlots: 0, state: 'draining' })).toMatchObject({
      resumes: true,
    });
    expect(judge(CLIENT, resumes, { isPinned: true, isCrowded: true })).toMatchObject({
      answer: { full: true },
    });
    const isCrowding = (identity: string) => identity === 'nats:UA';
    expect(judge(CLIENT, resumes, { isPinned: true, isCrowding })).toMatchObject({ answer: { full: true } });
    expect(judge(GATEWAY, resumes, { isPinned: true, isCrowding })).toMatchObject({ resumes: true });
    // Not by asking any machine.
    expect(judge(CLIENT, resumes, { freeSlots: 0 })).toMatchObject({ answer: { full: true } });
  });

  it('is not let in twice under one name', () => {
    expect(judge(CLIENT, {}, { isTaken: true })).toMatchObject({ result: 'refused' });
  });
});
