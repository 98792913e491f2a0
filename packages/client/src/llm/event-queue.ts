// A queue with several producers and one consumer, in order of arrival. A producer that can wait asks for room first.

const ROOM = 64;

export class EventQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #hasEnded = false;
  #wakeConsumer = (): void => {};
  #wakeProducer = (): void => {};

  push(item: T): void {
    this.#items.push(item);
    this.#wakeConsumer();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wakeConsumer();
  }

  async hasRoom(): Promise<void> {
    while (this.#items.length > ROOM) {
      await new Promise<void>((resolve) => {
        this.#wakeProducer = resolve;
      });
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#wakeProducer();
        yield item;
      } else if (this.#hasEnded) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wakeConsumer = resolve;
        });
      }
    }
  }
}
