// Output whose every byte says where it belongs, so that a loss, a repeat or a swap is found wherever it happens.
import { createHash, type Hash } from 'node:crypto';

const MB = 1_000_000;

/** Writes consecutive 32-bit numbers, so many megabytes of them. */
export function numberedProducer(megabytes: number): string[] {
  const script = `const b=Buffer.alloc(1e6);let n=0;
    const w=(k)=>{if(k===0)return;for(let i=0;i<b.length;i+=4)b.writeUInt32LE(n++,i);process.stdout.write(b,()=>w(k-1))};
    w(${megabytes})`;
  return [process.execPath, '-e', script];
}

/** The same on a pty that passes bytes through as they are. */
export function rawTerminal(argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', 'stty raw -echo; exec "$0" "$@"', ...argv];
}

export function numberedDigest(megabytes: number): string {
  const hash = createHash('sha256');
  const block = Buffer.alloc(MB);
  for (let count = 0, n = 0; count < megabytes; count++) {
    for (let i = 0; i < MB; i += 4) block.writeUInt32LE(n++, i);
    hash.update(block);
  }
  return hash.digest('hex');
}

/** Takes events in order, from wherever they come, and refuses a gap or a repeat. */
export class EventCollector {
  nextSeq = 1;
  bytes = 0;
  isClosed = false;
  readonly #hash: Hash = createHash('sha256');

  take(event: {
    readonly seq: number;
    readonly method?: string;
    readonly bytes?: Uint8Array | undefined;
  }): void {
    if (event.seq !== this.nextSeq) throw new Error(`expected event ${this.nextSeq}, got ${event.seq}`);
    this.nextSeq++;
    if (event.bytes !== undefined) {
      this.#hash.update(event.bytes);
      this.bytes += event.bytes.length;
    }
    if (event.method === 'process/closed') this.isClosed = true;
  }

  /** Everything up to there is accounted for by other means than events. */
  finish(nextSeq: number): void {
    this.nextSeq = nextSeq;
    this.isClosed = true;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
