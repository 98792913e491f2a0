// A command that a model may come back to.

import type { RemoteProcess } from '@codex/exec-client';
import type { CommandRequest } from '../execution/command-request.js';
import { aborted } from '../tool-error.js';
import type { ToolOutput } from '../tool-output.js';
import { unlessAborted } from '../unless-aborted.js';

export interface SessionInfo {
  readonly sessionId: number;
  readonly callId: string;
  readonly command: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly startedAt: Date;
  readonly lastUsedAt: Date;
  readonly process: RemoteProcess;
}

export class Session implements SessionInfo {
  readonly sessionId: number;
  readonly request: CommandRequest;
  readonly process: RemoteProcess;
  readonly sandboxed: boolean;
  /** It runs outside of the sandbox that others are in. */
  readonly isOut: boolean;
  readonly startedAt = new Date();
  lastUsedAt = new Date();
  /** Order of use, which a clock with milliseconds does not tell. */
  usedAs = 0;
  /** The call that started it has not been answered. */
  isInFirstCall = true;
  /** A result of another call said that it has ended. */
  isToldAsEnded = false;
  /** Its retry after a denial: one for all calls that saw it. */
  retried: Promise<ToolOutput> | undefined;
  /** Resolves when the end of the command was told. */
  followed: Promise<void> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: {
    readonly sessionId: number;
    readonly request: CommandRequest;
    readonly process: RemoteProcess;
    readonly sandboxed: boolean;
    readonly isOut: boolean;
  }) {
    this.sessionId = parts.sessionId;
    this.request = parts.request;
    this.process = parts.process;
    this.sandboxed = parts.sandboxed;
    this.isOut = parts.isOut;
  }

  get callId(): string {
    return this.request.callId;
  }

  get command(): string {
    return this.process.command;
  }

  get cwd(): string {
    return this.process.cwd;
  }

  get tty(): boolean {
    return this.process.tty;
  }

  get hasEnded(): boolean {
    return this.process.state !== 'running';
  }

  /** A call writes to it or looks at it. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Calls on one session go one after the other. One that is given up before its turn does nothing. */
  async takeTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#waiting++;
    const before = this.#turn;
    const turn = unlessAborted(before, signal, () => aborted('write_stdin')).then(work);
    this.#turn = Promise.allSettled([before, turn]);
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }

  /** Resolves when no call is busy with it. */
  async idle(): Promise<void> {
    while (this.isBusy) await this.#turn;
  }
}
