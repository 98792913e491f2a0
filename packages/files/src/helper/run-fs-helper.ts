// `codex-fs`: the hidden program that touches files for the server, inside a sandbox. Without arguments it answers one
// request from standard input; with `--serve` it stays and speaks frames. It uses plain system calls on its pipes,
// because loading Node's streams takes a good part of the start.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import { answerOneRequest } from './one-request.js';
import { serveRequests, wholeInput } from './request-input.js';
import { HelperService } from './serve-frames.js';

const SERVE_FLAG = '--serve';

const STDOUT = 1;

export interface HelperProgramOptions {
  /** V8 had to compile what an earlier run could have left: the server is told, and sees to it. */
  readonly isCompiledAnew?: boolean;
}

export async function runFsHelper(
  args: readonly string[],
  options: HelperProgramOptions = {},
): Promise<number> {
  if (args.includes(SERVE_FLAG)) return serve(options);
  const answer = await answerOneRequest((await wholeInput()).toString('utf8'));
  writeBlocks([Buffer.from(`${answer}\n`)]);
  return 0;
}

/** The whole program: an error is one line and exit code 1. */
export async function runFsHelperProgram(options?: HelperProgramOptions): Promise<void> {
  try {
    process.exitCode = await runFsHelper(process.argv.slice(2), options);
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  }
}

async function serve({ isCompiledAnew = false }: HelperProgramOptions): Promise<number> {
  await serveRequests(new HelperService(writeBlocks, { isCompiledAnew }));
  return 0;
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
