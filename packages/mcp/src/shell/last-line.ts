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

function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return line.replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u001f\u007f]/g, '').trim();
}
