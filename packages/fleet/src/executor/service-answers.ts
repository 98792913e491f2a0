// A machine as a service of NATS, so that the tools of the broker's own people (`nats micro ls | info | stats`) show it: three
// questions, asked of everybody, of all machines, or of one. One subscription serves them all.

import type { Msg } from '@nats-io/transport-node';
import type { BrokerLink } from '../broker/broker-link.js';
import type { Beat } from '../inventory/beat.js';
import { QUEUE_GROUP } from '../naming/subjects.js';

export const SERVICE_SUBJECTS = '$SRV.>';
const SERVICE_NAME = 'exec-server';
const DESCRIPTION = 'starts and controls processes and files for coding agents';
/** A question may name any subject as the one to answer at; an answer elsewhere would be written in this machine's name. */
const INBOX = /^_INBOX\.[A-Za-z0-9_.-]+$/;
const SEMVER = /^\d+\.\d+\.\d+/;

export interface ServiceCounts {
  readonly opened: number;
  readonly refused: number;
}

export interface ServiceSource {
  describe(): Beat;
  counts(): ServiceCounts;
  /** Where the machine takes part in the queue group. */
  readonly openSubject: string;
}

export function answerAsService(link: BrokerLink, source: ServiceSource): void {
  link.subscribe(SERVICE_SUBJECTS, (message) => {
    const answer = serviceAnswer(message, source);
    const { reply } = message;
    if (answer === undefined || reply === undefined || !INBOX.test(reply)) return;
    link.publish(reply, new TextEncoder().encode(JSON.stringify(answer)));
  });
}

/** Undefined for a question to another service. */
export function serviceAnswer({ subject }: Pick<Msg, 'subject'>, source: ServiceSource): object | undefined {
  const [, verb, name = SERVICE_NAME, id, ...rest] = subject.split('.');
  const beat = source.describe();
  const ownId = `${beat.executor}-${beat.boot}`;
  if (name !== SERVICE_NAME || (id ?? ownId) !== ownId || rest.length > 0) return undefined;
  const { environment, executor, host, state } = beat;
  const identity = {
    name: SERVICE_NAME,
    id: ownId,
    version: SEMVER.test(beat.version) ? beat.version : '0.0.0',
    // The time lets an operator see that clocks differ.
    metadata: { environment, executor, host, state, time: new Date(Date.now()).toISOString() },
  };
  const endpoint = { name: 'open', subject: source.openSubject, queue_group: QUEUE_GROUP };
  switch (verb ?? '') {
    case 'PING':
      return { type: 'io.nats.micro.v1.ping_response', ...identity };
    case 'INFO':
      return {
        type: 'io.nats.micro.v1.info_response',
        ...identity,
        description: DESCRIPTION,
        endpoints: [endpoint],
      };
    case 'STATS':
      return {
        type: 'io.nats.micro.v1.stats_response',
        ...identity,
        started: new Date(beat.startedAt).toISOString(),
        endpoints: [{ ...endpoint, ...statsOf(beat, source.counts()) }],
      };
    default:
      return undefined;
  }
}

function statsOf({ sessions, maxSessions, channels }: Beat, { opened, refused }: ServiceCounts): object {
  return {
    num_requests: opened + refused,
    num_errors: refused,
    last_error: '',
    processing_time: 0,
    average_processing_time: 0,
    data: { sessions, maxSessions, channels },
  };
}
