// What a person types, on its way to the command: in order, one message at a time, and nothing that was not taken is sent
// again. Keys that are pressed while a message is on its way go together with the next one.

export interface TypistOptions {
  /** Resolves with what became of it, as the server says. */
  send(bytes: Uint8Array): Promise<string>;
  /** Nothing more is sent; why, as a sentence. */
  onTrouble(sentence: string): void;
}

const SENTENCES: Readonly<Record<string, string>> = {
  unknownProcess: 'The command is gone.',
  stdinClosed: 'The command has no open input.',
  starting: 'The command is not started yet.',
};

/** More than this waits only where the command does not read: what is typed then would arrive long after it was meant. */
const MAX_WAITING_BYTES = 256 * 1024;

export class Typist {
  readonly #options: TypistOptions;
  readonly #encoder = new TextEncoder();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isSending = false;

  constructor(options: TypistOptions) {
    this.#options = options;
  }

  type(text: string): void {
    const bytes = this.#encoder.encode(text);
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#options.onTrouble('The command does not read what is typed.');
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#isSending) void this.#send();
  }

  /** What has not been sent is not sent. */
  forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) {
        const bytes = joined(this.#waiting, this.#waitingBytes);
        this.forget();
        const status = await this.#options.send(bytes);
        if (status !== 'accepted') this.#fail(SENTENCES[status] ?? `It was not taken: ${status}.`);
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isSending = false;
    }
  }

  #fail(sentence: string): void {
    this.forget();
    this.#options.onTrouble(sentence);
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
