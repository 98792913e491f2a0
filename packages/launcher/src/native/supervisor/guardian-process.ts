/**
 * The launcher program as the guardian (native/guardian.c) of supervisors that get descriptors of Node's: of one, or of several
 * with a terminal each, because one fork of Node is then enough for all of them. Each has a socket of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { ProcessEntry } from '../../process-table.js';
import { StrayHunt } from './stray-hunt.js';

export interface GuardianEvents {
  /** It ended, or could not be started: then with the error. */
  gone(error: Error | undefined): void;
}

export class GuardianProcess {
  readonly #child: ChildProcess;
  readonly #events: GuardianEvents[] = [];
  readonly #hunt: StrayHunt;

  private constructor(
    launcherProgram: string,
    words: readonly string[],
    stdio: readonly ('pipe' | number)[],
  ) {
    // Its own session, so that a Ctrl-C meant for the server does not reach it; an empty environment and / as cwd, so
    // that it neither shows nor pins anything of the server's.
    this.#child = spawn(launcherProgram, words, {
      argv0: 'codex-launcher',
      stdio: ['ignore', 'ignore', 'ignore', ...stdio],
      env: {},
      cwd: '/',
      detached: true,
    });
    const isOfMany = words.length > 0;
    const shownWords = `${['codex-launcher', ...words].join('\0')}\0`;
    this.#hunt = new StrayHunt({
      guardian: this.#child,
      ...(isOfMany ? { isSupervisor: ({ pid }: ProcessEntry) => hasWords(pid, shownWords) } : {}),
    });
    this.#child.on('error', (error) => this.#gone(error));
    this.#child.on('exit', () => this.#gone(undefined));
    // The sockets keep the event loop alive while something is to come.
    this.#child.unref();
  }

  /** Of one supervisor. What is passed follows its socket. */
  static ofOne(launcherProgram: string, passed: readonly number[]): GuardianProcess {
    return new GuardianProcess(launcherProgram, [], ['pipe', ...passed]);
  }

  static ofTerminals(launcherProgram: string, masters: readonly number[]): GuardianProcess {
    const words = ['--terminals', String(masters.length)];
    return new GuardianProcess(
      launcherProgram,
      words,
      masters.flatMap((master) => ['pipe' as const, master]),
    );
  }

  get hasStarted(): boolean {
    return this.#child.pid !== undefined;
  }

  /** Short of descriptors Node makes none at all; the error follows as an event. */
  socketAt(fd: number): Socket | undefined {
    const stdio = this.#child.stdio as ChildProcess['stdio'] | undefined;
    return (stdio?.[fd] as Socket | null | undefined) ?? undefined;
  }

  watch(events: GuardianEvents): void {
    this.#events.push(events);
  }

  /** Node signals a child only until it has reaped it. */
  wake(): void {
    this.#child.kill('SIGCONT');
  }

  /** A supervisor is gone, and has not said that its tree is. */
  lost(): void {
    this.#hunt.begin();
  }

  #gone(error: Error | undefined): void {
    for (const events of this.#events.splice(0)) events.gone(error);
  }
}

/** A stray that has given itself the words of a supervisor is left to the guardian. */
function hasWords(pid: number, words: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === words;
  } catch {
    return true; // it has gone
  }
}
