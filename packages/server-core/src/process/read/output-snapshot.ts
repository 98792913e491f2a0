// A bounded picture of what a process has written: the beginning and the end of each stream, and how much lies between.
import type { OutputLog, OutputStream } from '../output/log/output-log.js';

/** Together below the size of one reply, whatever the log holds. */
const MAX_SNAPSHOT_BYTES = 4 * 1024 * 1024;

export interface StreamSnapshot {
  readonly bytes: Uint8Array;
  readonly omittedBytes: number;
}

export interface OutputSnapshot {
  readonly stdout: StreamSnapshot;
  readonly stderr: StreamSnapshot;
  readonly terminal: StreamSnapshot;
}

export function snapshotOutput(log: OutputLog, maxBytes = MAX_SNAPSHOT_BYTES): OutputSnapshot {
  return {
    stdout: snapshotStream(log, 'stdout', maxBytes / 2),
    stderr: snapshotStream(log, 'stderr', maxBytes / 2),
    terminal: snapshotStream(log, 'pty', maxBytes),
  };
}

function snapshotStream(log: OutputLog, stream: OutputStream, maxBytes: number): StreamSnapshot {
  const blocks = retainedBlocks(log, stream);
  const head = log.heads.head(stream);
  const total = log.streamBytes(stream);
  const retainedFrom = blocks[0]?.streamOffset ?? total;
  const tailFrom = Math.max(retainedFrom, head.length, total - (maxBytes - head.length));
  const tail = blocks.map(({ bytes, streamOffset }) => bytes.subarray(Math.max(0, tailFrom - streamOffset)));
  return { bytes: Buffer.concat([head, ...tail]), omittedBytes: tailFrom - head.length };
}

function retainedBlocks(log: OutputLog, stream: OutputStream) {
  const blocks = [];
  for (let seq = log.firstSeq; seq < log.nextSeq; seq++) {
    const entry = log.glance(seq);
    if (entry?.kind === 'output' && entry.stream === stream) blocks.push(entry);
  }
  return blocks;
}
