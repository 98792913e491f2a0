// The talk with the nursery: how many supervisors are wanted, and where each one that was born is found. Twin:
// native/nursery.c.

const MAGIC = 0x324e5843;
const BORN_BYTES = 24;
export const MARK_BYTES = 8;

/** `mark` comes back as the first bytes of each supervisor's statuses. */
export function encodeAsk(count: number, mark: Buffer): Buffer {
  const record = Buffer.alloc(8 + MARK_BYTES);
  record.writeUInt32LE(MAGIC, 0);
  record.writeUInt32LE(count, 4);
  mark.copy(record, 8, 0, MARK_BYTES);
  return record;
}

/** Its own numbers of the descriptors that Node is to open. */
export interface Born {
  readonly pid: number;
  readonly ordersFd: number;
  readonly statusesFd: number;
  /** What its first command prints, should that have no input. */
  readonly outputFds: readonly [stdout: number, stderr: number];
}

/** Cuts a byte stream into records; one may come in pieces. */
export class BornDecoder {
  #rest: Buffer = Buffer.alloc(0);

  /** `undefined` stands for one that could not be made. Null: this is no nursery. */
  push(block: Buffer): (Born | undefined)[] | null {
    const bytes = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block]);
    const found: (Born | undefined)[] = [];
    let at = 0;
    for (; bytes.length - at >= BORN_BYTES; at += BORN_BYTES) {
      if (bytes.readUInt32LE(at) !== MAGIC) return null;
      const numberAt = (place: number): number => bytes.readUInt32LE(at + 4 * place);
      const pid = numberAt(1);
      const fds = { ordersFd: numberAt(2), statusesFd: numberAt(3) };
      found.push(pid === 0 ? undefined : { pid, ...fds, outputFds: [numberAt(4), numberAt(5)] });
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return found;
  }
}
