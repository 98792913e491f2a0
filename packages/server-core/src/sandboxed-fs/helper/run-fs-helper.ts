// `codex-fs`: the hidden program that touches files for the server, inside a sandbox. Without arguments it answers one
// request from standard input; with `--serve` it stays and speaks frames. It starts with plain system calls on its
// pipes, because loading Node's streams takes a good part of the start; once the first request is answered it waits on
// a socket instead, which saves a thread switch per request.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import { toFsError } from '../../fs/fs-error.js';
import { answerOneRequest } from './one-request.js';
import { HelperService } from './serve-frames.js';

const SERVE_FLAG = '--serve';

const STDIN = 0;
const STDOUT = 1;
const READ_BYTES = 64 * 1024;

export async function runFsHelper(args: readonly string[]): Promise<number> {
  if (args.includes(SERVE_FLAG)) return serve();
  const blocks: Buffer[] = [];
  await forEachBlock((block) => void blocks.push(block));
  const answer = await answerOneRequest(Buffer.concat(blocks).toString('utf8'));
  writeBlocks([Buffer.from(`${answer}\n`)]);
  return 0;
}

/** The whole program: an error is one line and exit code 1. */
export async function runFsHelperProgram(): Promise<void> {
  try {
    process.exitCode = await runFsHelper(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  }
}

async function serve(): Promise<number> {
  let answered = 0;
  const service = new HelperService((blocks) => {
    writeBlocks(blocks);
    answered += 1;
  });
  const push = (block: Buffer): void => service.push(block);
  // The first answer is to the policy.
  const isOpen = await forEachBlock(push, () => answered > 1);
  if (isOpen) await throughSocket(push);
  return 0;
}

/** True when `isEnough` ended it, false at the end of the input. */
function forEachBlock(onBlock: (block: Buffer) => void, isEnough = () => false): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      if (isEnough()) {
        resolve(true);
        return;
      }
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      fs.read(STDIN, buffer, 0, READ_BYTES, null, (error, count) => {
        if (error) return error.code === 'EAGAIN' ? void setTimeout(next, 1) : reject(error);
        if (count === 0) return resolve(false);
        try {
          onBlock(Buffer.from(buffer.subarray(0, count)));
        } catch (failure) {
          return reject(toFsError(failure));
        }
        next();
      });
    };
    next();
  });
}

async function throughSocket(onBlock: (block: Buffer) => void): Promise<void> {
  const input = process.stdin;
  await new Promise<void>((resolve, reject) => {
    input.on('error', reject).on('close', () => resolve());
    input.on('data', (block: Buffer) => {
      try {
        onBlock(block);
      } catch (failure) {
        reject(toFsError(failure));
        input.destroy();
      }
    });
  });
}

/** The server always reads, so waiting for it here is short; a helper has nothing to do that could not wait too. */
function writeBlocks(blocks: readonly Uint8Array[]): void {
  for (const block of blocks) {
    for (let offset = 0; offset < block.byteLength; ) {
      try {
        offset += fs.writeSync(STDOUT, block, offset);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
}
