// Where the requests of a helper come from. A helper that has nothing under way waits in the very call that reads its
// pipe: it serves nothing else, and waking up through the event loop and a stream costs a good part of what a
// small request does. While something is under way the loop has to turn, so the next block is read on the thread pool;
// once several requests are, or something is watched, a socket takes over for good.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import { toFsError } from '../fs-error.js';

/** What is fed with blocks. */
export interface RequestService {
  /** Throws for what no server of ours sends. */
  push(block: Buffer): void;
  /** A request is under way that was not answered in its turn. */
  readonly isBusy: boolean;
  /** Several calls are pending, or there are events besides answers. */
  readonly isCrowded: boolean;
  /** Resolves when nothing is under way any more, or what is waits for input. */
  untilWaiting(): Promise<void>;
}

const STDIN = 0;
const BLOCK_BYTES = 64 * 1024;
/** What ends within this time is waited for before anything else is read. */
const SHORT_WORK_MS = 2;
/** So often the loop turns in any case: Node has housekeeping of its own. */
const READS_PER_TURN = 256;

/** Resolves at the end of the input. */
export async function serveRequests(service: RequestService): Promise<void> {
  for (let reads = 1; ; reads += 1) {
    if (service.isBusy) await shortWork(service);
    if (reads % READS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const block = service.isBusy ? await blockFromPool() : blockSync();
    if (block === 'end') return;
    if (block !== 'later') service.push(block);
    if (block === 'later' || service.isCrowded) return throughSocket(service);
  }
}

/** Everything up to the end of the input. */
export async function wholeInput(): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (;;) {
    const block = await blockFromPool();
    if (block === 'end') return Buffer.concat(blocks);
    if (block === 'later') await new Promise((resolve) => setTimeout(resolve, 1));
    else blocks.push(block);
  }
}

async function shortWork(service: RequestService): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SHORT_WORK_MS);
  });
  await Promise.race([service.untilWaiting(), patience]);
  clearTimeout(timer);
}

let spare = Buffer.allocUnsafeSlow(BLOCK_BYTES);

/** What was read: a copy of a small block, so that the large one serves again. */
function taken(count: number): Buffer | 'end' {
  if (count === 0) return 'end';
  const block = spare.subarray(0, count);
  if (count <= BLOCK_BYTES / 8) return Buffer.from(block);
  spare = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  return block;
}

/** `later`: this input does not block. */
function blockSync(): Buffer | 'end' | 'later' {
  for (;;) {
    try {
      return taken(fs.readSync(STDIN, spare, 0, BLOCK_BYTES, null));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 'later';
      // Node does not make a read again that was interrupted.
      if (code !== 'EINTR') throw toFsError(error);
    }
  }
}

function blockFromPool(): Promise<Buffer | 'end' | 'later'> {
  return new Promise((resolve, reject) => {
    const read = (): void =>
      fs.read(STDIN, spare, 0, BLOCK_BYTES, null, (error, count) => {
        if (error === null) resolve(taken(count));
        else if (error.code === 'EAGAIN') resolve('later');
        else if (error.code === 'EINTR') read();
        else reject(toFsError(error));
      });
    read();
  });
}

async function throughSocket(service: RequestService): Promise<void> {
  const input = process.stdin;
  await new Promise<void>((resolve, reject) => {
    input.on('error', reject).on('close', () => resolve());
    input.on('data', (block: Buffer) => {
      try {
        service.push(block);
      } catch (failure) {
        reject(toFsError(failure));
        input.destroy();
      }
    });
  });
}
