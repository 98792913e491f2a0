// The journal: what happened on a server, numbered and bounded. Arguments that look like secrets are masked in it, and
// environments and input are never part of it.
import { Type } from '@sinclair/typebox';
import { Bound64, I32, named, optional, refTo, stringEnum, tagged, U16, U32, U64 } from '../primitives.js';
import { SandboxDenial, SandboxStop } from '../process/process-io.js';
import { ExecMetadata, SandboxType } from '../process/process-start.js';
import { Grant } from './observe.js';

const event = <const Kind extends string, Members extends Parameters<typeof Type.Object>[0]>(
  kind: Kind,
  members: Members,
) => Type.Object({ kind: Type.Literal(kind), seq: U64, atMs: U64, ...members });

const session = Type.String();
const processId = Type.String();
const PROCESS = { session, processId };
const APPROVAL = { session, approval: Type.String() };

export const JournalEvent = named(
  'JournalEvent',
  tagged('kind', [
    event('sessionOpened', { session, clientName: Type.String(), identity: Type.String() }),
    event('sessionAway', { session, expiresAtMs: U64 }),
    event('sessionResumed', { session, clientName: Type.String(), awayMs: U64, takenOver: Type.Boolean() }),
    event('sessionEnded', { session, reason: stringEnum(['left', 'expired', 'shutdown']) }),
    event('processStarted', {
      ...PROCESS,
      pid: U32,
      argv: Type.Array(Type.String()),
      cwd: Type.String(),
      tty: Type.Boolean(),
      rows: optional(U16),
      cols: optional(U16),
      sandboxType: SandboxType,
      metadata: optional(refTo(ExecMetadata)),
    }),
    /** It could not be started. */
    event('processRefused', {
      ...PROCESS,
      argv: Type.Array(Type.String()),
      cwd: Type.String(),
      reason: Type.String(),
      metadata: optional(refTo(ExecMetadata)),
    }),
    event('processExited', {
      ...PROCESS,
      exitCode: I32,
      durationMs: U64,
      sandboxDenied: Type.Boolean(),
      denial: optional(refTo(SandboxDenial)),
      stopped: optional(refTo(SandboxStop)),
    }),
    /** Lost for another reason than its own end. */
    event('processLost', { ...PROCESS, reason: Type.String() }),
    event('processClosed', PROCESS),
    /** Nothing of its tree is left. */
    event('processGone', PROCESS),
    /** For a second and longer. */
    event('processStalled', PROCESS),
    event('processFlowing', PROCESS),
    /** A page let in another of its tabs. */
    event('ticketShared', { by: Type.String() }),
    event('connectionRefused', {
      remoteAddress: optional(Type.String()),
      reason: Type.String(),
      /** So many were refused since the last of these events; this is the newest. Absent: one. */
      times: optional(U32),
    }),
    event('observerCame', {
      observer: U32,
      identity: Type.String(),
      clientName: Type.String(),
      grants: Type.Array(refTo(Grant)),
    }),
    event('observerLeft', { observer: U32 }),
    event('intervention', {
      ...PROCESS,
      what: stringEnum(['signal', 'terminate', 'write', 'resize']),
      by: Type.String(),
      observer: U32,
      /** The name of the signal, or the number of bytes that were typed. */
      detail: optional(Type.String()),
    }),
    event('approvalAsked', { ...APPROVAL, title: Type.String() }),
    event('approvalEnded', {
      ...APPROVAL,
      decision: Type.String(),
      by: optional(Type.String()),
    }),
    event('ticketCreated', { by: Type.String(), grants: Type.Array(refTo(Grant)), expiresAtMs: U64 }),
    event('ticketSpent', { by: Type.String(), remoteAddress: optional(Type.String()) }),
  ]),
);

/** Events that are no longer kept. */
export const OmittedEvents = named('OmittedEvents', Type.Object({ fromSeq: U64, toSeq: U64 }));

export const JournalReadParams = named(
  'JournalReadParams',
  Type.Object({
    afterSeq: optional(Bound64),
    /** Waits that long for the first event. */
    waitMs: optional(Bound64),
    maxEvents: optional(Bound64),
    session: optional(Type.String()),
  }),
);

export const JournalReadResult = named(
  'JournalReadResult',
  Type.Object({
    /** Those that the observer may see; numbers of others are missing. */
    events: Type.Array(refTo(JournalEvent)),
    /** `nextSeq` minus one is the next `afterSeq`. */
    nextSeq: U64,
    omitted: optional(refTo(OmittedEvents)),
  }),
);

export const JournalSubscribeParams = named(
  'JournalSubscribeParams',
  Type.Object({
    /** Without it, from now on. */
    afterSeq: optional(Bound64),
    session: optional(Type.String()),
  }),
);

export const JournalSubscribeResult = named('JournalSubscribeResult', Type.Object({ nextSeq: U64 }));

export const JournalEventsNotification = named(
  'JournalEventsNotification',
  Type.Object({
    events: Type.Array(refTo(JournalEvent)),
    omitted: optional(refTo(OmittedEvents)),
  }),
);
