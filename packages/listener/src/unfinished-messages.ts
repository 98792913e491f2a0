// What connections have begun to say and not finished. One of them may keep 64 MiB here for as long as it likes; all of them together
// may not: whoever has most of it loses the connection with most of it, until the rest fits. Looked at a few times a second, so
// more than the limit may be there for a moment.

export interface TalkingChannel {
  /** The length of the message that is not whole yet. */
  readonly unfinishedBytes: number;
  terminate(reason: string): void;
}

const LOOK_MS = 250;
const REASON = 'too much was begun and not finished';

export class UnfinishedMessages {
  readonly #mostBytes: number;
  readonly #owners = new Map<TalkingChannel, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Until `forget`; the messages of one owner are counted together. */
  watch(channel: TalkingChannel, owner: string): void {
    this.#owners.set(channel, owner);
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  forget(channel: TalkingChannel): void {
    this.#owners.delete(channel);
    if (this.#owners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  look(): void {
    const open = [...this.#owners]
      .map(([channel, owner]) => ({ channel, owner, bytes: channel.unfinishedBytes }))
      .filter(({ bytes }) => bytes > 0)
      .sort((left, right) => right.bytes - left.bytes);
    let total = open.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > this.#mostBytes) {
      const owned = new Map<string, number>();
      for (const { owner, bytes } of open) owned.set(owner, (owned.get(owner) ?? 0) + bytes);
      const [greediest] = [...owned].sort(([, left], [, right]) => right - left)[0] ?? [];
      const index = open.findIndex(({ owner }) => owner === greediest);
      const [ended] = open.splice(index, 1);
      if (ended === undefined) return;
      total -= ended.bytes;
      this.#owners.delete(ended.channel);
      ended.channel.terminate(REASON);
    }
  }
}
