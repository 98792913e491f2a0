// Signs of life of the remote end: they are asked for, answered, and missed.

import type { Buffer } from 'node:buffer';
import { LifeProbes } from '@codex/exec-rpc/bytes';
import type { ChannelMeter } from '../channel-meter.js';
import { type Frame, FrameKind, HEADER_BYTES, isFromTheEnd } from '../frame.js';
import { decodeQuestion, encodeQuestion, type Question } from './question.js';
import { Silence, type SilenceVerdict } from './silence.js';

export interface Relay {
  /** Asks the destination for a sign of life. */
  probe(): Promise<boolean>;
}

export interface HeartbeatOptions {
  readonly now: () => number;
  send(kind: FrameKind, frame: Buffer): void;
  /** What came is not what a remote end says. */
  malformed(what: string): void;
  readonly relay: Relay | undefined;
  readonly meter: ChannelMeter | undefined;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #silence: Silence;
  readonly #probes = new LifeProbes();
  /** The last question that waits for the destination's sign of life. */
  #relayed: Question | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#silence = new Silence(options.now);
  }

  /** When the remote end was last heard, as epoch milliseconds. */
  get heardWall(): number {
    return this.#silence.heardWall;
  }

  /** For how long the remote end has not been heard. */
  get silentMs(): number {
    return this.#silence.silentMs;
  }

  tolerateSilence(): void {
    this.#silence.tolerate();
  }

  /** The next frame of the remote end, whatever it is. */
  heard(frame: Frame): void {
    if (frame.kind === FrameKind.pong) this.#answered(frame.payload);
    else this.#silence.heard();
    if (isFromTheEnd(frame)) this.#probes.alive();
  }

  probe(timeoutMs: number): Promise<boolean> {
    const answer = this.#probes.wait(timeoutMs);
    this.#ask();
    return answer;
  }

  async answer(payload: Buffer): Promise<void> {
    const { relay, malformed } = this.#options;
    const question = decodeQuestion(payload);
    if (question === undefined) malformed('a ping of the remote end is malformed');
    else if (question.isProbe && relay !== undefined) await this.#relay(relay, question);
    else this.#say(question);
  }

  /** One question at a time: whoever asks faster than the destination answers must not fill this program's memory with questions. */
  async #relay(relay: Relay, question: Question): Promise<void> {
    const isUnderWay = this.#relayed !== undefined;
    this.#relayed = question;
    if (isUnderWay) return;
    const isAlive = await relay.probe();
    const last = this.#relayed;
    this.#relayed = undefined;
    if (isAlive) this.#say(last);
  }

  #say(question: Question): void {
    this.#options.send(FrameKind.pong, encodeQuestion(question, HEADER_BYTES));
  }

  /** Called a few times a second, or late. Asks where that is due. */
  look({ isAwaiting, isLate, wallStepMs }: Look): SilenceVerdict {
    if (isLate) this.#silence.forgive();
    if (wallStepMs !== 0) this.#silence.stepped(wallStepMs);
    const verdict = this.#silence.judge(isAwaiting || this.#probes.isWaiting);
    if (verdict === 'ask') this.#ask();
    return verdict;
  }

  close(): void {
    this.#probes.close();
  }

  /** While a sign of life of the far end is awaited, a relay must not answer with its own. */
  #ask(): void {
    const question = { isProbe: this.#probes.isWaiting, number: this.#silence.asked() };
    this.#options.send(FrameKind.ping, encodeQuestion(question, HEADER_BYTES));
  }

  #answered(payload: Buffer): void {
    const question = decodeQuestion(payload);
    if (question === undefined) {
      this.#options.malformed('a pong of the remote end is malformed');
      return;
    }
    const roundTripMs = this.#silence.answered(question.number);
    if (roundTripMs !== undefined) this.#options.meter?.roundTrip(roundTripMs / 1000);
  }
}

export interface Look {
  readonly isAwaiting: boolean;
  readonly isLate: boolean;
  readonly wallStepMs: number;
}
