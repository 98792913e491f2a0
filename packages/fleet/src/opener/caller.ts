// The caller's side of the fleet: asks for channels, once each. What an answer means for a session is decided elsewhere.

import { randomBytes } from 'node:crypto';
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';
import type { Msg } from '@nats-io/transport-node';
import { BrokerLink, type BrokerOptions } from '../broker/broker-link.js';
import { ChannelHub, FIRST_GRANT_BYTES, isNobodyThere } from '../channel/channel-hub.js';
import { decodeFrame } from '../channel/frame.js';
import type { Relay } from '../channel/heartbeat/heartbeat.js';
import { MessageRoom } from '../channel/inbound/message-room.js';
import type { NatsChannel } from '../channel/nats-channel.js';
import {
  decodeOpenAnswer,
  encodeOpening,
  type OpenAnswer,
  PROTOCOL_VERSION,
  type Principal,
} from '../channel/opening.js';
import { WindowBudget } from '../channel/window-budget.js';
import { FleetError } from '../fleet-error.js';
import { type FleetMetrics, noMetrics } from '../inventory/fleet-metrics.js';
import { type Caller, type CallerRole, Subjects } from '../naming/subjects.js';
import { OpenSpans, type Trace } from '../spans/open-spans.js';

export interface CallerOptions extends BrokerOptions {
  readonly role: CallerRole;
  /** Bytes that all machines together may have sent and that were not passed on yet. */
  readonly budgetBytes: number;
  readonly metrics?: FleetMetrics;
}

export interface OpenOptions {
  /** Any machine of the environment; or one, by its name. */
  readonly executor?: string;
  readonly resumes?: boolean;
  readonly principal?: Principal;
  readonly token?: string;
  readonly trace?: Trace;
  /** The channel's messages are passed on, and read where they arrive. */
  readonly relay?: Relay;
  readonly signal: AbortSignal;
}

export type Accepted = Extract<OpenAnswer, { executor: string }>;

export type Attempt =
  | { readonly kind: 'accepted'; readonly channel: NatsChannel; readonly answer: Accepted }
  /** The subject has no subscriber: no machine with room, or not this machine. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'silent' }
  /** The own connection to the broker is not there. */
  | { readonly kind: 'down' }
  | { readonly kind: 'aborted' };

/** Messages of all machines together that are not whole yet: twice the budget. The longest one has to fit into half of it. */
function roomFor(budgetBytes: number): MessageRoom {
  return new MessageRoom(2 * Math.max(budgetBytes, MAX_MESSAGE_BYTES));
}

/** A machine answers within a turn of its event loop; one that does not for this long is asked again. */
const ANSWER_MS = 2000;

export class FleetCaller {
  readonly link: BrokerLink;
  readonly spans: OpenSpans;
  readonly #caller: Caller;
  readonly #budget: WindowBudget;
  readonly #room: MessageRoom;
  readonly #metrics: FleetMetrics;
  readonly #instance = randomBytes(8).toString('hex');
  readonly #environments = new Map<string, { readonly subjects: Subjects; readonly hub: ChannelHub }>();

  static async connect(options: CallerOptions): Promise<FleetCaller> {
    return new FleetCaller(await BrokerLink.connect(options), await OpenSpans.registered(), options);
  }

  private constructor(
    link: BrokerLink,
    spans: OpenSpans,
    { role, budgetBytes, metrics = noMetrics }: CallerOptions,
  ) {
    this.link = link;
    this.spans = spans;
    this.#caller = { role, key: link.key };
    this.#budget = new WindowBudget(budgetBytes);
    this.#room = roomFor(budgetBytes);
    this.#metrics = metrics;
  }

  get channelCount(): number {
    return [...this.#environments.values()].reduce((sum, { hub }) => sum + hub.channelCount, 0);
  }

  /** Asks once. */
  open(environment: string, options: OpenOptions): Promise<Attempt> {
    if (options.signal.aborted) return Promise.resolve({ kind: 'aborted' });
    if (!this.link.isUp) return Promise.resolve({ kind: 'down' });
    const { subjects, hub } = this.#environment(environment);
    return new Promise((resolve) => {
      const id = randomBytes(16).toString('hex');
      const subject =
        options.executor === undefined
          ? subjects.acquire(this.#caller)
          : subjects.openAt(options.executor, this.#caller);
      const settle = (attempt: Attempt): void => {
        clearTimeout(timer);
        options.signal.removeEventListener('abort', onAbort);
        unlisten();
        unroute();
        resolve(attempt);
      };
      const onAbort = (): void => settle({ kind: 'aborted' });
      const unroute = hub.route(id, (message) => {
        // What is to be a frame comes from somebody who has only heard the question.
        if (decodeFrame(message.data) === undefined) settle(this.#attempt(environment, id, message, options));
      });
      const unlisten = this.link.listen({
        down: () => settle({ kind: 'down' }),
        refused: (error, at) => {
          if (at !== subject) return;
          settle({ kind: 'refused', why: notForThis(this.#caller.role, environment, error) });
        },
      });
      const timer = setTimeout(() => settle({ kind: 'silent' }), ANSWER_MS);
      options.signal.addEventListener('abort', onAbort, { once: true });
      this.link.publish(
        subject,
        requestOf(id, options),
        `${subjects.caller(this.#caller, this.#instance)}.${id}`,
      );
    });
  }

  /** Throws when the broker does not let this program listen for answers of the environment. */
  async checkPermission(environment: string): Promise<void> {
    let refused: Error | undefined;
    const unlisten = this.link.listen({
      refused: (error, _subject, isListening) => {
        if (isListening) refused ??= error;
      },
    });
    this.#environment(environment);
    if (this.link.isUp) await this.link.flush().catch(() => undefined);
    // The library tells of a refusal a turn after it has read it.
    await new Promise((resolve) => setImmediate(resolve));
    unlisten();
    if (refused !== undefined)
      throw new FleetError('FLEET_CREDENTIALS', notForThis(this.#caller.role, environment, refused));
  }

  /** A client waits for a machine with room: reported once, for metrics. */
  tellWant(environment: string): void {
    this.link.publish(this.#environment(environment).subjects.want(this.#caller), new Uint8Array());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#environments.values()].map(({ hub }) => hub.close()));
    await this.link.close();
  }

  #attempt(environment: string, id: string, message: Msg, { relay }: OpenOptions): Attempt {
    if (isNobodyThere(message)) return { kind: 'nobody' };
    const answer = decodeOpenAnswer(message.data);
    if (answer === undefined) return { kind: 'refused', why: `a machine of ${environment} ${OTHER_VERSION}` };
    if ('full' in answer || 'draining' in answer) return { kind: 'full' };
    if ('refused' in answer)
      return { kind: 'refused', why: `a machine of ${environment} refuses: ${answer.refused}` };
    const { subjects, hub } = this.#environment(environment);
    const channel = hub.open({
      // Not the word that all machines of the environment may have heard: only the one that is written to learns this one.
      tail: randomBytes(16).toString('hex'),
      remote: subjects.toMachine(answer.executor, this.#caller, id),
      label: `exec-server ${environment}/${answer.executor}`,
      owner: `${environment}/${answer.executor}`,
      grantedBytes: answer.window,
      relay,
      isWatchful: true,
    });
    // A machine may have to say something first, and learns by this where.
    setImmediate(() => channel.greet());
    return { kind: 'accepted', channel, answer };
  }

  #environment(environment: string) {
    let known = this.#environments.get(environment);
    if (known === undefined) {
      const subjects = new Subjects(environment);
      const prefix = subjects.caller(this.#caller, this.#instance);
      known = {
        subjects,
        hub: new ChannelHub({
          link: this.link,
          budget: this.#budget,
          room: this.#room,
          prefix,
          mayAnswer: (_tail, reply) => subjects.isMachines(reply, this.#caller),
          metrics: this.#metrics,
        }),
      };
      this.#environments.set(environment, known);
    }
    return known;
  }
}

/** For the user of a client, or the operator of a gateway. */
function notForThis(role: CallerRole, environment: string, { message }: Error): string {
  const wanted = role === 'g' ? 'gateway' : 'client';
  return `these credentials do not open a session here: mint them with \`--role ${wanted}\`, for environment ${environment} (${message})`;
}

const OTHER_VERSION =
  'speaks another version of the protocol of fleets: upgrade clients and gateways first, machines last';

function requestOf(channel: string, { resumes, principal, token, trace }: OpenOptions): Uint8Array {
  return encodeOpening({
    v: PROTOCOL_VERSION,
    channel,
    window: FIRST_GRANT_BYTES,
    ...(resumes === true ? { resumes } : {}),
    ...(principal === undefined ? {} : { principal }),
    ...(token === undefined ? {} : { token }),
    ...(trace === undefined ? {} : { trace }),
  });
}
