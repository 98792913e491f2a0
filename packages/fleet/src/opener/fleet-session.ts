// The channels of one session, one after the other: the first to any machine with room, those after it to the machine
// that holds the session, until that is there again or counts as lost.

import { type Clock, CodedError } from '@codex/exec-protocol';
import { sleep, systemClock } from '@codex/exec-rpc';
import { CLOSE_GOING_AWAY } from '../channel/close-payload.js';
import type { Relay } from '../channel/heartbeat/heartbeat.js';
import { AT_REST, DOUBT_MS } from '../channel/heartbeat/silence.js';
import type { NatsChannel } from '../channel/nats-channel.js';
import type { Principal } from '../channel/opening.js';
import { FleetError, type LossDetails, type LossReason, lossError } from '../fleet-error.js';
import { type FleetMetrics, noMetrics } from '../inventory/fleet-metrics.js';
import { type Pin, pinOf } from '../naming/session-id.js';
import { checkedName } from '../naming/subjects.js';
import type { OpenSpan, Trace } from '../spans/open-spans.js';
import type { Accepted, Attempt, FleetCaller, OpenOptions } from './caller.js';
import { DEFAULT_LOSS_TIMES, LossClock } from './loss-clock.js';

export interface FleetSessionOptions {
  readonly caller: FleetCaller;
  readonly environment: string;
  /** One machine, by its name, and no other. */
  readonly machine?: string;
  /** From a gateway: for whom the session is, and what that one may do. */
  readonly principal?: Principal;
  readonly token?: string;
  readonly relay?: Relay;
  /** From a gateway: of its client's span. */
  readonly trace?: Trace;
  /** What the client asks for; undefined leaves it to the machine. */
  readonly sessionTtlMs?: number;
  /** How long to look for a machine with room. Default 10 s. */
  readonly acquireTimeoutMs?: number;
  /** How long the broker must know nothing of the machine before it counts as lost. Default 5 s. */
  readonly lossGraceMs?: number;
  readonly clock?: Clock;
  readonly metrics?: FleetMetrics;
}

type AcceptedAttempt = Extract<Attempt, { kind: 'accepted' }>;

export const ACQUIRE_TIMEOUT_MS = 10_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1000;
const RESUME_RETRY_MS = 100;
/**
 * Until the caller stops to speak, then until the machine takes that for silence, one look in between, and what a machine
 * whose clock was set may take to find out.
 */
const UNHEARD_MS = 2 * AT_REST.goneMs + DOUBT_MS + 1000;
/** Where the machine was never heard, the longest time that machines keep a session by default. */
const UNKNOWN_TTL_MS = 24 * 60 * 60 * 1000;

export class FleetSession {
  readonly #options: FleetSessionOptions;
  readonly #clock: Clock;
  readonly #loss: LossClock;
  readonly #metrics: FleetMetrics;
  /** The last one to the machine that holds the session, or is said to. */
  #channel: NatsChannel | undefined;
  #answer: Accepted | undefined;
  #pin: Pin | undefined;
  /** Another program answers to the name of the machine. */
  #isReplaced = false;
  #bornAt = Date.now();
  /** Of what is being opened, or was last. */
  #span: OpenSpan | undefined;

  constructor(options: FleetSessionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#metrics = options.metrics ?? noMetrics;
    this.#loss = new LossClock({
      ...DEFAULT_LOSS_TIMES,
      ...(options.lossGraceMs === undefined ? {} : { graceMs: options.lossGraceMs }),
    });
    if (options.machine !== undefined) checkedName('the machine', options.machine);
  }

  /** A channel to the machine of the session that is taken up, or to a machine with room. */
  async open(signal: AbortSignal, resumeSessionId: string | null): Promise<NatsChannel> {
    const pin = resumeSessionId === null ? undefined : pinOf(resumeSessionId);
    const { caller, environment, machine, trace } = this.#options;
    const executor = pin?.executor ?? machine;
    const about = {
      environment,
      resumes: pin !== undefined,
      ...(executor === undefined ? {} : { executor }),
    };
    this.#span = caller.spans.ask(about, trace);
    try {
      // An id that no machine has made is unknown to all of them alike.
      const channel = await (pin === undefined ? this.#acquire(signal) : this.#resume(signal, pin));
      this.#span.end('accepted', this.#pin?.executor);
      return channel;
    } catch (error) {
      this.#span.end(error instanceof CodedError ? String(error.code) : 'failed');
      throw error;
    }
  }

  /** What is known of a loss: from the error of an attempt, or because the machine does not know the session. */
  lossDetails(reason: LossReason): LossDetails {
    const lastSeenAt = this.#channel?.heardAt ?? this.#bornAt;
    // A machine that was started anew under the same name knows nothing of what still runs elsewhere.
    const isOver = reason === 'drained' || (reason === 'sessionGone' && !this.#isReplaced);
    const fencedBy = isOver ? Date.now() : lastSeenAt + UNHEARD_MS + this.#ttlMs();
    return { reason, executor: this.#pin?.executor ?? 'unknown', lastSeenAt, fencedBy };
  }

  async #acquire(signal: AbortSignal): Promise<NatsChannel> {
    const { acquireTimeoutMs = ACQUIRE_TIMEOUT_MS, environment, machine, caller } = this.#options;
    const began = this.#clock.now();
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      const attempt = await this.#ask(signal, machine === undefined ? {} : { executor: machine });
      const seconds = (this.#clock.now() - began) / 1000;
      if (attempt.kind === 'accepted') {
        this.#metrics.opened('accepted', seconds);
        return this.#acquired(attempt);
      }
      this.#refuseEnd(attempt, signal);
      // An autoscaler should know while there is time.
      if (wait === FIRST_RETRY_MS && attempt.kind !== 'down') caller.tellWant(environment);
      const waited = this.#clock.now() - began;
      if (waited >= acquireTimeoutMs) {
        this.#metrics.opened(attempt.kind === 'down' ? 'failed' : 'noCapacity', seconds);
        throw attempt.kind === 'down'
          ? brokerDown(caller.link.address.label)
          : noCapacity({ environment, machine, waited });
      }
      await sleep(this.#clock, wait, signal);
    }
  }

  async #resume(signal: AbortSignal, pin: Pin): Promise<NatsChannel> {
    this.#pin = pin;
    if (this.#channel?.ending?.code === CLOSE_GOING_AWAY) throw this.#lost('drained');
    for (;;) {
      const since = this.#clock.now();
      const attempt = await this.#ask(signal, { executor: pin.executor, resumes: true });
      if (attempt.kind === 'accepted') {
        this.#loss.reset();
        this.#metrics.resumed('accepted');
        return this.#resumed(attempt, pin);
      }
      this.#refuseEnd(attempt, signal);
      if (attempt.kind !== 'refused' && attempt.kind !== 'aborted') {
        // A machine that bears no more channels is as good as one that does not answer.
        const met = attempt.kind === 'full' ? 'silent' : attempt.kind;
        const { upMs: linkUpMs } = this.#options.caller.link;
        const now = this.#clock.now();
        // The machine has been silent since it was last heard, not since it is asked.
        const unheardMs = this.#channel?.silentMs ?? 0;
        const silentSince = met === 'silent' ? Math.min(since, now - unheardMs) : since;
        const reason = this.#loss.met(met, { since: silentSince, now, linkUpMs });
        if (reason !== undefined) throw this.#lost(reason);
      }
      await sleep(this.#clock, RESUME_RETRY_MS, signal);
    }
  }

  #ask(signal: AbortSignal, place: Pick<OpenOptions, 'executor' | 'resumes'>): Promise<Attempt> {
    const { caller, environment, principal, token, relay } = this.#options;
    const { trace } = this.#span ?? {};
    return caller.open(environment, {
      ...place,
      ...(principal === undefined ? {} : { principal }),
      ...(token === undefined ? {} : { token }),
      ...(relay === undefined ? {} : { relay }),
      ...(trace === undefined ? {} : { trace }),
      signal,
    });
  }

  /** What waiting does not change. */
  #refuseEnd(attempt: Attempt, signal: AbortSignal): void {
    if (attempt.kind === 'aborted' || signal.aborted) throw abortReason(signal);
    if (attempt.kind === 'refused') throw new FleetError('FLEET_CREDENTIALS', attempt.why);
    if (this.#options.caller.link.isClosed) {
      throw new FleetError(
        'FLEET_CREDENTIALS',
        `the broker ${this.#options.caller.link.address.label} refuses these credentials`,
      );
    }
  }

  #acquired({ channel, answer }: AcceptedAttempt): NatsChannel {
    this.#channel = channel;
    this.#answer = answer;
    this.#pin = { executor: answer.executor, boot: answer.boot };
    return channel;
  }

  /** Only the program that opened the session can still hold it; another one will say that it does not know it. */
  #resumed({ channel, answer }: AcceptedAttempt, pin: Pin): NatsChannel {
    this.#isReplaced = answer.boot !== pin.boot;
    if (this.#isReplaced) return channel;
    this.#channel = channel;
    this.#answer = answer;
    return channel;
  }

  #lost(reason: LossReason): FleetError {
    this.#metrics.resumed('lost');
    this.#metrics.lost(reason);
    return lossError(this.lossDetails(reason));
  }

  #ttlMs(): number {
    if (this.#answer === undefined) return UNKNOWN_TTL_MS;
    const { sessionTtlMs, maxSessionTtlMs } = this.#answer;
    return Math.min(this.#options.sessionTtlMs ?? sessionTtlMs, maxSessionTtlMs);
  }
}

function noCapacity({
  environment,
  machine,
  waited,
}: {
  readonly environment: string;
  readonly machine: string | undefined;
  readonly waited: number;
}): FleetError {
  const who =
    machine === undefined
      ? `no machine of environment ${environment}`
      : `machine ${environment}/${machine} does not`;
  const what = machine === undefined ? 'has room' : 'answer with room';
  return new FleetError('FLEET_NO_CAPACITY', `${who} ${what} within ${Math.round(waited)} ms`, {
    details: { environment, waitedMs: Math.round(waited) },
  });
}

function brokerDown(label: string): FleetError {
  return new FleetError('FLEET_BROKER', `the connection to the broker ${label} is lost`);
}

function abortReason(signal: AbortSignal): Error {
  const { reason } = signal as { readonly reason: unknown };
  return reason instanceof Error ? reason : new CodedError('CONNECT_ABORTED', 'the caller gave up');
}
