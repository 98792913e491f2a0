// A bound on bytes that are held at the same time, with a wider bound behind it (a session's within the server's).

export class ByteBudget {
  readonly limit: number;
  readonly #parent: ByteBudget | undefined;
  #used = 0;

  constructor(limit: number, parent?: ByteBudget) {
    this.limit = limit;
    this.#parent = parent;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes the bytes from this budget and those behind it, or from none. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.limit) return false;
    if (this.#parent !== undefined && !this.#parent.take(bytes)) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
    this.#parent?.give(bytes);
  }
}
