// A machine of the fleet. It dials out and is reached through the broker only: by being in the queue group it can be given
// a session, by its own subject it is found again.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Msg } from '@nats-io/transport-node';
import { BrokerLink } from '../broker/broker-link.js';
import { readCredentials } from '../broker/credentials-file.js';
import { ChannelHub, FIRST_GRANT_BYTES } from '../channel/channel-hub.js';
import { CLOSE_GOING_AWAY, CLOSE_NOT_READING as CLOSE_POLICY } from '../channel/close-payload.js';
import type { NatsChannel } from '../channel/nats-channel.js';
import { decodeOpenRequest, encodeOpening, type OpenRequest, PROTOCOL_VERSION } from '../channel/opening.js';
import { FleetError } from '../fleet-error.js';
import { BEAT_MS, type Beat, decodeBeat, encodeBeat, type MachineState } from '../inventory/beat.js';
import { type FleetMetrics, noMetrics } from '../inventory/fleet-metrics.js';
import { newSessionId, type Pin } from '../naming/session-id.js';
import { type Caller, callerOf, checkedName, Subjects } from '../naming/subjects.js';
import { OpenSpans } from '../spans/open-spans.js';
import { judgeOpen } from './admission.js';
import { defaultName } from './default-name.js';
import { executorMemory } from './executor-memory.js';
import type { ExecutorOptions, FleetServer } from './executor-options.js';
import type { ExecutorParts, Opening } from './executor-parts.js';
import { Handshakes } from './handshakes.js';
import { nameIsTaken, notItsCredentials } from './machine-refused.js';
import { QueueMembership } from './queue-membership.js';
import { answerAsService } from './service-answers.js';
import { Slots } from './slots.js';

/** Callers whose handshake is under way, and observers, besides one channel for each session and one that takes it over. */
const EXTRA_CHANNELS = 64;
/** A caller speaks at once; one that does not holds a slot that others wait for. */
const HANDSHAKE_MS = 10_000;

export class Executor {
  readonly pin: Pin;
  readonly #options: ExecutorOptions;
  readonly #link: BrokerLink;
  readonly #subjects: Subjects;
  readonly #hub: ChannelHub;
  readonly #slots: Slots;
  readonly #mostChannels: number;
  readonly #handshakes: Handshakes;
  readonly #queue: QueueMembership;
  readonly #metrics: FleetMetrics;
  readonly #spans: OpenSpans;
  readonly #startedAt = Date.now();
  readonly #channels = new Set<NatsChannel>();
  #server: FleetServer | undefined;
  #state: MachineState = 'serving';
  #timer: NodeJS.Timeout | undefined;
  #isBeatScheduled = false;
  #opened = 0;
  #turnedAway = 0;
  #unlisten = (): void => undefined;
  #emptied: (() => void) | undefined;

  /** Connects; the machine takes part in the fleet from `serve` on. */
  static async join(options: ExecutorOptions): Promise<Executor> {
    const subjects = new Subjects(options.environment);
    const credentials =
      options.credentials === undefined ? undefined : await readCredentials(options.credentials);
    const given = options.name ?? credentials?.machine ?? defaultName();
    const name = checkedName('the name of the machine', given);
    const link = await BrokerLink.connect({ ...options, name: `exec-server ${options.environment}/${name}` });
    return new Executor(options, { link, subjects, name, spans: await OpenSpans.registered() });
  }

  private constructor(options: ExecutorOptions, { link, subjects, name, spans }: ExecutorParts) {
    this.#spans = spans;
    this.#options = options;
    this.#link = link;
    this.#subjects = subjects;
    this.#metrics = options.metrics ?? noMetrics;
    this.pin = { executor: name, boot: randomBytes(6).toString('hex') };
    this.#slots = new Slots(options.maxSessions, () => this.#changed());
    this.#mostChannels = 2 * this.#slots.most + EXTRA_CHANNELS;
    this.#handshakes = new Handshakes(this.#mostChannels);
    this.#hub = new ChannelHub({
      link,
      ...executorMemory(),
      prefix: subjects.machine(name),
      metrics: this.#metrics,
      mayAnswer: (tail, reply) => {
        const caller = callerOf(...(tail.split('.', 2) as [string?, string?]));
        return caller !== undefined && subjects.belongsTo(reply, caller);
      },
      onOther: (tail, message) => this.#onOther(tail, message),
    });
    this.#queue = new QueueMembership(link, subjects, (message) => this.#onAcquire(message));
    link.listen({
      refused: (error, subject, isListening) => {
        if (isListening) this.#refused(error, subject);
      },
    });
  }

  get label(): string {
    return `${this.#link.address.label} ${this.#subjects.environment}/${this.pin.executor}`;
  }

  get brokerVersion(): string {
    return this.#link.brokerVersion;
  }

  get state(): MachineState {
    return this.#state;
  }

  get sessions(): number {
    return this.#slots.sessions;
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  get isConnected(): boolean {
    return this.#link.isUp;
  }

  newSessionId(): string {
    return newSessionId(this.pin);
  }

  sessionOpened(): void {
    this.#slots.opened();
  }

  sessionEnded(): void {
    this.#slots.ended();
    if (this.#slots.isEmpty) this.#options.onIdle?.();
  }

  /** Resolves when the broker has heard of it, and has refused what it refuses. */
  async serve(server: FleetServer): Promise<void> {
    this.#server = server;
    const { executor } = this.pin;
    this.#link.subscribe(this.#subjects.beat(executor), (message) => this.#onBeat(message));
    this.#link.subscribe(this.#subjects.drain(executor), (message) => {
      message.respond(new TextEncoder().encode('{"ok":true}'));
      this.#options.onDrain?.();
    });
    answerAsService(this.#link, {
      describe: () => this.#describe(),
      counts: () => ({ opened: this.#opened, refused: this.#turnedAway }),
      openSubject: this.#subjects.everyAcquire,
    });
    this.#unlisten = this.#link.listen({
      up: () => {
        this.#metrics.reconnected();
        this.#beat();
      },
      closed: (error) =>
        this.#options.onFailure(
          new FleetError(
            'FLEET_BROKER',
            `the broker lets this machine in no more: ${error?.message ?? 'closed'}`,
          ),
        ),
    });
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
    this.#changed();
    this.#beat();
    if (this.#link.isUp) await this.#link.flush().catch(() => undefined);
  }

  /** Takes no new sessions. Resolves when the last one is over, or the time is. */
  async drain(timeoutMs: number): Promise<void> {
    this.#state = 'draining';
    this.#changed();
    this.#beat();
    if (this.#slots.isEmpty) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Says goodbye to every caller that is left, and to the broker. */
  async leave(): Promise<void> {
    this.#state = 'draining';
    this.#unlisten();
    this.#queue.adjust(0);
    clearInterval(this.#timer);
    for (const channel of [...this.#channels]) channel.close(CLOSE_GOING_AWAY, 'drained');
    await new Promise((resolve) => setImmediate(resolve));
    await this.#link.close();
  }

  #onAcquire(message: Msg): void {
    const [role, key] = message.subject.split('.').slice(-2);
    this.#admit(callerOf(role, key), message, false);
  }

  /** `<role>.<key>.open`: from a caller that wants this machine and no other. */
  #onOther(tail: string, message: Msg): boolean {
    const [role, key, last, ...rest] = tail.split('.');
    if (last !== 'open' || rest.length > 0) return false;
    this.#admit(callerOf(role, key), message, true);
    return true;
  }

  #admit(caller: Caller | undefined, message: Msg, isPinned: boolean): void {
    const { reply } = message;
    // Written to another subject, the answer would let a caller speak in this machine's name.
    if (caller === undefined || reply === undefined || !this.#subjects.belongsTo(reply, caller)) return;
    const request = decodeOpenRequest(message.data);
    const verdict = judgeOpen(caller, request, {
      isPinned,
      situation: {
        state: this.#state,
        freeSlots: this.#slots.free,
        isCrowded: this.#channels.size >= this.#mostChannels,
        isCrowding: (identity) => this.#handshakes.hasTooMany(identity),
        isTaken: request !== undefined && this.#hub.has(channelTail(caller, request)),
      },
      verifyToken: this.#options.verifyToken,
    });
    const { environment } = this.#subjects;
    const about = { environment, executor: this.pin.executor, resumes: request?.resumes === true };
    const span = this.#spans.answer(about, request?.trace);
    if ('answer' in verdict) {
      span.end(verdict.result);
      this.#turnedAway++;
      this.#metrics.opened(verdict.result);
      this.#link.publish(reply, encodeOpening(verdict.answer));
    } else if (request !== undefined) {
      this.#open({ ...verdict, caller, request, reply, span });
    }
  }

  #open({ caller, request, reply, admitted, resumes, span }: Opening): void {
    if (resumes) this.#metrics.resumed('accepted');
    else this.#metrics.opened('accepted');
    const release = resumes ? () => undefined : this.#slots.reserve();
    const handshakeOver = this.#handshakes.begin(admitted.identity);
    const { channel: id } = request;
    const channel = this.#hub.open({
      tail: channelTail(caller, request),
      // In the form that malformed messages are answered with: a transport, an address and a number.
      label: `exec-server websocket ${admitted.identity}:${++this.#opened}`,
      owner: admitted.identity,
      grantedBytes: request.window,
    });
    const { sessionTtlMs, maxSessionTtlMs } = this.#options;
    const times = { sessionTtlMs, maxSessionTtlMs };
    this.#link.publish(
      reply,
      encodeOpening({ ...times, ...this.pin, v: PROTOCOL_VERSION, window: FIRST_GRANT_BYTES }),
      this.#subjects.toMachine(this.pin.executor, caller, id),
    );
    this.#channels.add(channel);
    const late = setTimeout(() => channel.close(CLOSE_POLICY, 'no initialize in time'), HANDSHAKE_MS).unref();
    const onInitialized = (): void => {
      clearTimeout(late);
      release();
      handshakeOver();
      span.end('accepted');
    };
    const connection = this.#server?.accept(channel, { ...admitted, mustResume: resumes, onInitialized });
    void connection?.closed.then(() => {
      this.#channels.delete(channel);
      span.end('failed');
      onInitialized();
    });
  }

  /** A machine that may not listen at its own subjects is in no fleet, whatever it believes. */
  #refused({ message }: Error, subject = ''): void {
    const { executor } = this.pin;
    const { everyAcquire, environment } = this.#subjects;
    const own = [`${this.#subjects.machine(executor)}.>`, everyAcquire, this.#subjects.beat(executor)];
    if (!own.includes(subject)) return;
    this.#options.onFailure(
      notItsCredentials(
        {
          environment,
          executor,
          isChosen: this.#options.name !== undefined || this.#link.machine !== undefined,
        },
        this.#link.machine,
        message,
      ),
    );
  }

  /** The older machine of a name stays, the younger leaves. */
  #onBeat(message: Msg): void {
    const beat = decodeBeat(message.data);
    if (beat === undefined || beat.boot === this.pin.boot) return;
    const isOlder =
      beat.startedAt < this.#startedAt || (beat.startedAt === this.#startedAt && beat.boot < this.pin.boot);
    const { environment } = this.#subjects;
    if (isOlder) this.#options.onFailure(nameIsTaken({ environment, ...this.pin }, beat));
    else this.#beat();
  }

  #changed(): void {
    if (this.#server === undefined) return;
    this.#queue.adjust(this.#state === 'serving' ? this.#slots.free : 0);
    // The last slot may have been that of a caller who opened no session.
    if (this.#slots.isEmpty) this.#emptied?.();
    if (this.#isBeatScheduled) return;
    this.#isBeatScheduled = true;
    setImmediate(() => {
      this.#isBeatScheduled = false;
      this.#beat();
    });
  }

  #beat(): void {
    if (this.#link.isUp)
      this.#link.publish(this.#subjects.beat(this.pin.executor), encodeBeat(this.#describe()));
  }

  #describe(): Beat {
    return {
      v: PROTOCOL_VERSION,
      environment: this.#subjects.environment,
      ...this.pin,
      startedAt: this.#startedAt,
      state: this.#state,
      sessions: this.#slots.sessions,
      maxSessions: this.#slots.most,
      channels: this.#channels.size,
      version: this.#options.version,
      host: hostname(),
    };
  }
}

function channelTail({ role, key }: Caller, { channel }: OpenRequest): string {
  return `${role}.${key}.${channel}`;
}
