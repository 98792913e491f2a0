// An open file without a name: how bytes reach a child process as a descriptor, without native code.
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../errors.js';

// Not among Node's constants. The directory bit differs between architectures, the rest does not.
const oTmpfile = 0o20000000 | constants.O_DIRECTORY;
const candidates = ['/dev/shm', '/tmp'];

/** Opened for reading and writing, positioned at the start; the caller closes it. */
export function openAnonymousFile(content: Uint8Array = new Uint8Array()): number {
  const fd = openUnnamed();
  // With an explicit position, so that the reader starts at the beginning.
  for (let written = 0; written < content.length; ) {
    written += writeSync(fd, content, written, content.length - written, written);
  }
  return fd;
}

export function readAnonymousFile(fd: number): string {
  const parts: Buffer[] = [];
  for (let position = 0; ; ) {
    const block = Buffer.alloc(4096);
    const count = readSync(fd, block, 0, block.length, position);
    if (count === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(block.subarray(0, count));
    position += count;
  }
}

function openUnnamed(): number {
  let failure: unknown;
  for (const directory of candidates) {
    try {
      return openSync(directory, oTmpfile | constants.O_RDWR, 0o600);
    } catch (error) {
      failure = error;
    }
  }
  // A file system without O_TMPFILE: the name exists for a moment, readable by this user only.
  for (const directory of candidates) {
    const name = join(directory, `codex-sandbox-${randomBytes(12).toString('hex')}`);
    try {
      const fd = openSync(
        name,
        constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o600,
      );
      unlinkSync(name);
      return fd;
    } catch (error) {
      failure = error;
    }
  }
  throw new SandboxError(
    'SANDBOX_PREPARE_FAILED',
    `cannot create a temporary file in ${candidates.join(' or ')}`,
    {
      cause: failure,
    },
  );
}

export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // Closed already, which is what was wanted.
  }
}
