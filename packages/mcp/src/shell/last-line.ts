// The last line of what a command prints, for people who wait.

const LONGEST = 200;
/** Of output without line ends this much is looked at. */
const KEPT_BYTES = 1024;

export class LastLine {
  #kept = Buffer.alloc(0);

  /** The last line that is not blank, without colours and control characters; undefined when there is none. */
  after(bytes: Uint8Array): string | undefined {
    const joined = Buffer.concat([this.#kept, bytes.subarray(-KEPT_BYTES)]);
    this.#kept = joined.subarray(Math.max(0, joined.length - KEPT_BYTES));
    const lines = this.#kept.toString('utf8').split(/[\r\n]+/);
    return lines
      .map(plain)
      .findLast((line) => line !== '')
      ?.slice(0, LONGEST);
  }
}

/** Colours and cursor, and what sets a title or a link, also unfinished. The client's user may read this on a terminal. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;

function plain(line: string): string {
  return line.replace(SEQUENCE, '').replace(/\p{C}/gu, '').trim();
}
