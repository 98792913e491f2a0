// Maps what a websocket client has read to places in the stream that came from the machine, so that the machine keeps what
// would be lost with this gateway.

const STEP_BYTES = 32 * 1024;

export class ReadMarks {
  #marks: { readonly outBytes: number; readonly inBytes: number }[] = [];
  #inBytes = 0;

  /** A message of so many bytes of the one stream is among so many of the other. */
  forwarded(inBytes: number, outBytes: number): void {
    this.#inBytes += inBytes;
    const last = this.#marks.at(-1);
    const before = this.#marks.at(-2)?.inBytes ?? 0;
    if (last !== undefined && this.#inBytes - before < STEP_BYTES) this.#marks.pop();
    this.#marks.push({ outBytes, inBytes: this.#inBytes });
  }

  /** How far the stream was read when so many bytes of the other were; undefined when nothing new was. */
  readUpTo(outBytes: number): number | undefined {
    let passed = 0;
    let inBytes: number | undefined;
    for (const mark of this.#marks) {
      if (mark.outBytes > outBytes) break;
      inBytes = mark.inBytes;
      passed++;
    }
    this.#marks.splice(0, passed);
    return inBytes;
  }
}
