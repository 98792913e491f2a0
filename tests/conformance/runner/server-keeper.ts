// Keeps one server of the target running for a whole run, and starts another when a check has brought it down,
// so that one crash does not fail every check after it.
import type { RunningServer, Target } from '../targets/target.js';

export class ServerKeeper {
  readonly #target: Target;
  #server: RunningServer | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  async url(): Promise<string> {
    if (this.#server?.hasEnded()) {
      await this.#server.stop();
      this.#server = undefined;
    }
    this.#server ??= await this.#target.start();
    return this.#server.url;
  }

  /** True when the server has ended by itself. */
  isDown(): boolean {
    return this.#server?.hasEnded() ?? false;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }
}
