// A machine of the fleet. It dials out and is reached through the broker only: by being in the queue group it can be given
// a session, by its own subject it is found again.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Channel } from '@codex/exec-rpc';
import type { Msg } from '@nats-io/transport-node';
import { BrokerLink, type BrokerOptions } from '../broker/broker-link.js';
import { ChannelHub, FIRST_GRANT_BYTES } from '../channel/channel-hub.js';
import { CLOSE_GOING_AWAY, CLOSE_NOT_READING as CLOSE_POLICY } from '../channel/close-payload.js';
import type { NatsChannel } from '../channel/nats-channel.js';
import { decodeOpenRequest, encodeOpening, type OpenRequest, PROTOCOL_VERSION } from '../channel/opening.js';
import { WindowBudget } from '../channel/window-budget.js';
import { FleetError } from '../fleet-error.js';
import { BEAT_MS, type Beat, decodeBeat, encodeBeat, type MachineState } from '../inventory/beat.js';
import { type FleetMetrics, noMetrics } from '../inventory/fleet-metrics.js';
import { newSessionId, type Pin } from '../naming/session-id.js';
import { type Caller, callerOf, checkedName, Subjects } from '../naming/subjects.js';
import { type Admitted, judgeOpen, type VerifyToken } from './admission.js';
import { QueueMembership } from './queue-membership.js';
import { Slots } from './slots.js';

/** What an executor needs of the server that it puts into the fleet. */
export interface FleetServer {
  accept(
    channel: Channel,
    options: Admitted & { readonly mustResume: boolean; readonly onInitialized: () => void },
  ): { readonly closed: Promise<unknown> };
}

export interface ExecutorOptions extends Omit<BrokerOptions, 'name'> {
  readonly environment: string;
  /** The machine's name. A machine that is found again after a restart needs a fixed one. */
  readonly name?: string;
  readonly maxSessions: number;
  readonly sessionTtlMs: number;
  readonly maxSessionTtlMs: number;
  readonly version: string;
  /** Checks the token of a client; undefined when none is asked for. */
  readonly verifyToken?: VerifyToken;
  readonly metrics?: FleetMetrics;
  /** The last session here has ended. */
  onIdle?(): void;
  /** An operator asks this machine to drain. */
  onDrain?(): void;
  /** This machine cannot stay in the fleet. */
  onFailure(error: Error): void;
}

/** Bytes that all callers together may have sent and that were not handled yet. */
const BUDGET_BYTES = 64 * 1024 * 1024;
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
  readonly #queue: QueueMembership;
  readonly #metrics: FleetMetrics;
  readonly #startedAt = Date.now();
  readonly #channels = new Set<NatsChannel>();
  #server: FleetServer | undefined;
  #state: MachineState = 'serving';
  #timer: NodeJS.Timeout | undefined;
  #isBeatScheduled = false;
  #opened = 0;
  #unlisten = (): void => undefined;
  #emptied: (() => void) | undefined;

  /** Connects; the machine takes part in the fleet from `serve` on. */
  static async join(options: ExecutorOptions): Promise<Executor> {
    const name = checkedName('the name of the machine', options.name ?? defaultName());
    const subjects = new Subjects(options.environment);
    const link = await BrokerLink.connect({ ...options, name: `exec-server ${options.environment}/${name}` });
    return new Executor(options, { link, subjects, name });
  }

  private constructor(
    options: ExecutorOptions,
    { link, subjects, name }: { link: BrokerLink; subjects: Subjects; name: string },
  ) {
    this.#options = options;
    this.#link = link;
    this.#subjects = subjects;
    this.#metrics = options.metrics ?? noMetrics;
    this.pin = { executor: name, boot: randomBytes(6).toString('hex') };
    this.#slots = new Slots(options.maxSessions, () => this.#changed());
    this.#hub = new ChannelHub({
      link,
      budget: new WindowBudget(BUDGET_BYTES),
      prefix: subjects.machine(name),
      metrics: this.#metrics,
      onOther: (tail, message) => this.#onOther(tail, message),
    });
    this.#queue = new QueueMembership(link, subjects, (message) => this.#onAcquire(message));
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
    if (!this.#slots.isEmpty) return;
    this.#emptied?.();
    this.#options.onIdle?.();
  }

  serve(server: FleetServer): void {
    this.#server = server;
    const { executor } = this.pin;
    this.#link.subscribe(this.#subjects.beat(executor), (message) => this.#onBeat(message));
    this.#link.subscribe(this.#subjects.drain(executor), (message) => {
      message.respond(new TextEncoder().encode('{"ok":true}'));
      this.#options.onDrain?.();
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
        isCrowded: this.#channels.size >= 2 * this.#slots.most + EXTRA_CHANNELS,
        isTaken: request !== undefined && this.#hub.has(channelTail(caller, request)),
      },
      verifyToken: this.#options.verifyToken,
    });
    if ('answer' in verdict) {
      this.#metrics.opened(verdict.result);
      this.#link.publish(reply, encodeOpening(verdict.answer));
    } else if (request !== undefined) {
      this.#open({ ...verdict, caller, request, reply });
    }
  }

  #open({ caller, request, reply, admitted, resumes }: Opening): void {
    if (resumes) this.#metrics.resumed('accepted');
    else this.#metrics.opened('accepted');
    const release = resumes ? () => undefined : this.#slots.reserve();
    const { channel: id } = request;
    const channel = this.#hub.open({
      tail: channelTail(caller, request),
      remote: reply,
      // In the form that malformed messages are answered with: a transport, an address and a number.
      label: `exec-server websocket ${admitted.identity}:${++this.#opened}`,
      grantedBytes: request.window,
    });
    const { executor, boot } = this.pin;
    const { sessionTtlMs, maxSessionTtlMs } = this.#options;
    const window = FIRST_GRANT_BYTES;
    this.#link.publish(
      reply,
      encodeOpening({ v: PROTOCOL_VERSION, executor, boot, window, sessionTtlMs, maxSessionTtlMs }),
      this.#subjects.toMachine(executor, caller, id),
    );
    this.#channels.add(channel);
    const late = setTimeout(() => channel.close(CLOSE_POLICY, 'no initialize in time'), HANDSHAKE_MS).unref();
    const onInitialized = (): void => {
      clearTimeout(late);
      release();
    };
    const connection = this.#server?.accept(channel, { ...admitted, mustResume: resumes, onInitialized });
    void connection?.closed.then(() => {
      this.#channels.delete(channel);
      onInitialized();
    });
  }

  /** Another machine of the same name, as a copied disk makes one: the older stays, the younger leaves. */
  #onBeat(message: Msg): void {
    const beat = decodeBeat(message.data);
    if (beat === undefined || beat.boot === this.pin.boot) return;
    const isOlder =
      beat.startedAt < this.#startedAt || (beat.startedAt === this.#startedAt && beat.boot < this.pin.boot);
    if (!isOlder) {
      this.#beat();
      return;
    }
    const { environment } = this.#subjects;
    this.#options.onFailure(
      new FleetError(
        'FLEET_DUPLICATE',
        `another machine is called ${environment}/${this.pin.executor} already (on ${beat.host}): give this one another --name`,
        { details: { executor: this.pin.executor, host: beat.host } },
      ),
    );
  }

  #changed(): void {
    if (this.#server === undefined) return;
    this.#queue.adjust(this.#state === 'serving' ? this.#slots.free : 0);
    if (this.#isBeatScheduled) return;
    this.#isBeatScheduled = true;
    setImmediate(() => {
      this.#isBeatScheduled = false;
      this.#beat();
    });
  }

  #beat(): void {
    const beat: Beat = {
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
    if (this.#link.isUp) this.#link.publish(this.#subjects.beat(this.pin.executor), encodeBeat(beat));
  }
}

interface Opening {
  readonly caller: Caller;
  readonly request: OpenRequest;
  readonly reply: string;
  readonly admitted: Admitted;
  readonly resumes: boolean;
}

function channelTail({ role, key }: Caller, { channel }: OpenRequest): string {
  return `${role}.${key}.${channel}`;
}

function defaultName(): string {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 40);
  return `${host}-${randomBytes(4).toString('hex')}`;
}
