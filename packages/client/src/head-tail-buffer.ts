// Bytes up to a budget: the first half of the budget holds the beginning, the rest the end; what falls out between
// them is counted. Chunks are kept by reference and joined only when they are read.

export class HeadTailBuffer {
  readonly #headBudget: number;
  readonly #tailBudget: number;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #omitted = 0;

  constructor(maxBytes: number) {
    this.#headBudget = Math.floor(maxBytes / 2);
    this.#tailBudget = maxBytes - this.#headBudget;
  }

  get retainedBytes(): number {
    return this.#headBytes + this.#tailBytes;
  }

  get omittedBytes(): number {
    return this.#omitted;
  }

  get totalBytes(): number {
    return this.retainedBytes + this.#omitted;
  }

  /** The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): void {
    const room = this.#omitted === 0 && this.#tailBytes === 0 ? this.#headBudget - this.#headBytes : 0;
    const toHead = Math.min(room, chunk.length);
    if (toHead > 0) {
      this.#head.push(chunk.subarray(0, toHead));
      this.#headBytes += toHead;
    }
    if (toHead < chunk.length) this.#pushTail(chunk.subarray(toHead));
  }

  /** Appends what a later buffer holds; counts come out as if one buffer had seen everything. */
  pushBuffer(later: HeadTailBuffer): void {
    for (const chunk of later.#head) this.push(chunk);
    if (later.#omitted > 0) this.#skip(later.#omitted);
    for (const chunk of later.#retainedTail()) this.push(chunk);
  }

  /** Counts bytes that this buffer never saw; they stand between what was pushed before and after. */
  omit(bytes: number): void {
    if (bytes > 0) this.#skip(bytes);
  }

  /** Head and tail as separate pieces; the tail continues the head when nothing was omitted. */
  parts(): { readonly head: Uint8Array; readonly tail: Uint8Array } {
    return {
      head: concat(this.#head, this.#headBytes),
      tail: concat(this.#retainedTail(), this.#tailBytes),
    };
  }

  bytes(): Uint8Array {
    return concat([...this.#head, ...this.#retainedTail()], this.retainedBytes);
  }

  /** The contents as they are; later pushes do not show in it. */
  clone(): HeadTailBuffer {
    const copy = emptyBuffer(this.#headBudget + this.#tailBudget);
    copy.#head = [...this.#head];
    copy.#headBytes = this.#headBytes;
    copy.#tail = [...this.#retainedTail()];
    copy.#tailBytes = this.#tailBytes;
    copy.#omitted = this.#omitted;
    return copy;
  }

  /** What was pushed since the last call; the buffer is empty afterwards. */
  take(): HeadTailBuffer {
    const taken = this.clone();
    this.#head = [];
    this.#tail = [];
    this.#headBytes = 0;
    this.#tailBytes = 0;
    this.#tailStart = 0;
    this.#omitted = 0;
    return taken;
  }

  // Everything in the tail precedes the omitted bytes, so none of it is the end any more.
  #skip(bytes: number): void {
    this.#omitted += bytes + this.#tailBytes;
    this.#tail = [];
    this.#tailStart = 0;
    this.#tailBytes = 0;
  }

  #pushTail(chunk: Uint8Array): void {
    if (chunk.length >= this.#tailBudget) {
      this.#omitted += this.#tailBytes + (chunk.length - this.#tailBudget);
      this.#tail = this.#tailBudget === 0 ? [] : [chunk.subarray(chunk.length - this.#tailBudget)];
      this.#tailStart = 0;
      this.#tailBytes = this.#tailBudget;
      return;
    }
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    this.#dropOverflow();
  }

  #dropOverflow(): void {
    while (this.#tailBytes > this.#tailBudget) {
      const oldest = this.#tail[this.#tailStart];
      if (oldest === undefined) return;
      const excess = Math.min(this.#tailBytes - this.#tailBudget, oldest.length);
      this.#omitted += excess;
      this.#tailBytes -= excess;
      if (excess === oldest.length) this.#tailStart++;
      else this.#tail[this.#tailStart] = oldest.subarray(excess);
    }
    if (this.#tailStart > 1024 && this.#tailStart * 2 > this.#tail.length) this.#tail = this.#retainedTail();
  }

  #retainedTail(): Uint8Array[] {
    if (this.#tailStart > 0) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
    return this.#tail;
  }
}

export function concat(chunks: readonly Uint8Array[], totalBytes: number): Uint8Array {
  const only = chunks[0];
  if (chunks.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(totalBytes);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

/** Outside of the class: one that names itself is called `_HeadTailBuffer` once it is bundled. */
function emptyBuffer(maxBytes: number): HeadTailBuffer {
  return new HeadTailBuffer(maxBytes);
}
