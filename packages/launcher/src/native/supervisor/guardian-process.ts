// The launcher program as the guardian (native/guardian.c) of one supervisor that gets descriptors of Node's.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { StrayHunt } from './stray-hunt.js';

export interface GuardianEvents {
  /** It ended, or could not be started: then with the error. */
  gone(error: Error | undefined): void;
}

export class GuardianProcess {
  readonly #child: ChildProcess;
  readonly #events: GuardianEvents[] = [];
  readonly #hunt: StrayHunt;

  /** What is passed follows the socket. */
  constructor(launcherProgram: string, passed: readonly number[]) {
    // Its own session, so that a Ctrl-C meant for the server does not reach it; an empty environment and / as cwd, so
    // that it neither shows nor pins anything of the server's.
    this.#child = spawn(launcherProgram, [], {
      argv0: 'codex-launcher',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...passed],
      env: {},
      cwd: '/',
      detached: true,
    });
    this.#hunt = new StrayHunt({ guardian: this.#child });
    this.#child.on('error', (error) => this.#gone(error));
    this.#child.on('exit', () => this.#gone(undefined));
    // The sockets keep the event loop alive while something is to come.
    this.#child.unref();
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
