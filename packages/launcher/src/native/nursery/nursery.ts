// The process that forks supervisors and guards them (native/nursery.c): starts it, asks it for some, opens those that
// are born.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { ProcessEntry } from '../../process-table.js';
import { BornDecoder, encodeAsk, MARK_BYTES } from '../codec/nursery-codec.js';
import { StrayHunt } from '../supervisor/stray-hunt.js';
import { type GuardianCalls, NurserySupervisor } from './nursery-supervisor.js';

export interface NurseryEvents {
  /** One of those that were asked for; undefined when it could not be made or not be opened. */
  born(supervisor: NurserySupervisor | undefined): void;
  /** Nothing comes any more; those that were born live on. Not told after `close()`. */
  ended(): void;
}

const WAKE_AT_MOST_EVERY_MS = 100;

export class Nursery {
  readonly #child: ChildProcess;
  readonly #socket: Socket | undefined;
  readonly #events: NurseryEvents;
  readonly #guardianCalls: GuardianCalls;
  readonly #mark = randomBytes(MARK_BYTES);
  #isOpen = true;
  #wokenAt = Number.NEGATIVE_INFINITY;

  /** May throw what `spawn` throws. Does not keep the event loop alive. */
  constructor(launcherProgram: string, events: NurseryEvents) {
    this.#events = events;
    // As a supervisor is started: out of reach of a Ctrl-C, and without anything of the server's.
    this.#child = spawn(launcherProgram, ['--nursery'], {
      argv0: 'codex-launcher',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: {},
      cwd: '/',
      detached: true,
    });
    const hunt = new StrayHunt({ guardian: this.#child, isSupervisor });
    this.#guardianCalls = { wake: () => this.#wake(), lost: () => hunt.begin() };
    this.#child.on('error', () => this.#end());
    // Its children have the socket too: only the exit tells in any case.
    this.#child.on('exit', () => this.#end());
    this.#child.unref();
    // Short of descriptors Node sets no `stdio` at all; the error follows as an event.
    const stdio = this.#child.stdio as ChildProcess['stdio'] | undefined;
    this.#socket = (stdio?.[3] as Socket | null | undefined) ?? undefined;
    const decoder = new BornDecoder();
    this.#socket?.on('data', (block: Buffer) => this.#receive(decoder, block));
    this.#socket?.on('error', () => {}); // 'close' follows
    this.#socket?.on('close', () => this.#end());
    this.#socket?.unref();
  }

  ask(count: number): void {
    this.#socket?.write(encodeAsk(count, this.#mark));
  }

  /**
   * Ends those of its children that are not opened. The others have its socket too, and take a hang-up for the end of this
   * process: it stays open, and the nursery, which guards them, ends with the last of them.
   */
  close(): void {
    this.#isOpen = false;
    this.#socket?.end();
  }

  /** All its supervisors ask for it, one after the other. */
  #wake(): void {
    const now = performance.now();
    if (now - this.#wokenAt < WAKE_AT_MOST_EVERY_MS) return;
    this.#wokenAt = now;
    this.#child.kill('SIGCONT');
  }

  #receive(decoder: BornDecoder, block: Buffer): void {
    if (!this.#isOpen) return;
    const records = decoder.push(block);
    if (records === null) this.#end();
    for (const record of records ?? []) this.#events.born(record && this.#openOrNone(record));
  }

  #openOrNone(record: ConstructorParameters<typeof NurserySupervisor>[0]): NurserySupervisor | undefined {
    try {
      return new NurserySupervisor(record, this.#mark, this.#guardianCalls);
    } catch {
      return undefined; // it was ended, or no descriptor is left: it ends by itself
    }
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.close();
    this.#events.ended();
  }
}

/**
 * One that was forked a moment ago is not known here yet, so its words are what tells. A stray that has given itself the same words
 * is left to the nursery.
 */
function isSupervisor({ pid }: ProcessEntry): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === 'codex-launcher\0--nursery\0';
  } catch {
    return true; // it has gone
  }
}
