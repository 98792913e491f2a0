// Whether a caller is let in, and as whom. The subject says who speaks, and the broker has seen to that; everything else in
// the request is a claim. Does not stop: a stolen credentials file, unless machines ask for a token too.

import type { Grant } from '@codex/exec-protocol';
import type { OpenAnswer, OpenRequest } from '../channel/opening.js';
import type { MachineState } from '../inventory/beat.js';
import type { OpenResult } from '../inventory/fleet-metrics.js';
import type { Caller } from '../naming/subjects.js';

export interface Admitted {
  readonly identity: string;
  /** Absent: everything, with sessions of the same identity. */
  readonly grants?: readonly Grant[];
}

/** What a token says about its bearer, or why it is refused. */
export type TokenVerdict =
  | ({ readonly ok: true } & Admitted)
  | { readonly ok: false; readonly message: string };

export type VerifyToken = (token: string | undefined) => TokenVerdict;

export interface Situation {
  readonly state: MachineState;
  readonly freeSlots: number;
  /** There are as many channels as this machine bears. */
  readonly isCrowded: boolean;
  /** So many callers of this identity say nothing that there would be no channel for others. */
  readonly isCrowding: (identity: string) => boolean;
  /** The caller has a channel of that name. */
  readonly isTaken: boolean;
}

export type Verdict =
  | { readonly admitted: Admitted; readonly resumes: boolean }
  | { readonly answer: OpenAnswer; readonly result: OpenResult };

export function judgeOpen(
  caller: Caller,
  request: OpenRequest | undefined,
  {
    isPinned,
    situation,
    verifyToken,
  }: {
    readonly isPinned: boolean;
    readonly situation: Situation;
    readonly verifyToken: VerifyToken | undefined;
  },
): Verdict {
  if (request === undefined)
    return refused(
      'the request is of no version that is spoken here; clients and gateways are upgraded first, machines last',
    );
  if (situation.isTaken) return refused('a channel of this name is open');
  const admitted = admit(caller, request, verifyToken);
  if ('message' in admitted) return refused(admitted.message);
  const full: Verdict = { answer: { full: true }, result: 'noCapacity' };
  if (situation.isCrowded || situation.isCrowding(admitted.identity)) return full;
  // A session that is taken up has its slot.
  if (isPinned && request.resumes === true) return { admitted, resumes: true };
  if (situation.state === 'draining') return { answer: { draining: true }, result: 'draining' };
  return situation.freeSlots === 0 ? full : { admitted, resumes: false };
}

/** Only a gateway is believed whom it speaks for. It has asked for tokens itself. */
function admit(
  { role, key }: Caller,
  { principal, token }: OpenRequest,
  verifyToken: VerifyToken | undefined,
): Admitted | { readonly message: string } {
  if (role === 'g') {
    const { identity = '', grants } = principal ?? {};
    return { identity: `gateway:${key}:${identity}`, ...(grants === undefined ? {} : { grants }) };
  }
  if (verifyToken === undefined) return { identity: `nats:${key}` };
  const verdict = verifyToken(token);
  if (!verdict.ok) return verdict;
  const { identity, grants } = verdict;
  return { identity: `nats:${key}:${identity}`, ...(grants === undefined ? {} : { grants }) };
}

function refused(why: string): Verdict {
  return { answer: { refused: why }, result: 'refused' };
}
