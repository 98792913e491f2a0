// Limits the rate of launches, because starting a process blocks the event loop for a moment: a bounded number is under
// way, and at most one begins per turn of the loop, so that other requests are answered in between.

export interface LaunchQueueOptions {
  readonly maxConcurrent: number;
  /** Runs the action in a later turn of the event loop. */
  readonly nextTurn?: (action: () => void) => void;
}

export class LaunchQueue {
  readonly #maxConcurrent: number;
  readonly #nextTurn: (action: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #isTurnTaken = false;

  constructor({ maxConcurrent, nextTurn = (action) => void setImmediate(action) }: LaunchQueueOptions) {
    this.#maxConcurrent = maxConcurrent;
    this.#nextTurn = nextTurn;
  }

  /** Runs `launch` when it is its turn; in the order of the calls. */
  run<T>(launch: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => {
        launch()
          .then(resolve, reject)
          .finally(() => {
            this.#underWay--;
            this.#advance();
          });
      });
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#isTurnTaken || this.#underWay >= this.#maxConcurrent) return;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#underWay++;
    this.#isTurnTaken = true;
    this.#nextTurn(() => {
      this.#isTurnTaken = false;
      this.#advance();
    });
    begin();
  }
}
