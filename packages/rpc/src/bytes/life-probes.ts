// Waiters for the next sign of life of the remote end.

interface Waiter {
  settle(alive: boolean): void;
}

export class LifeProbes {
  readonly #waiters = new Set<Waiter>();

  get isWaiting(): boolean {
    return this.#waiters.size > 0;
  }

  wait(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        settle: (alive) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(alive);
        },
      };
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  alive(): void {
    for (const waiter of this.#waiters) waiter.settle(true);
  }

  close(): void {
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}
