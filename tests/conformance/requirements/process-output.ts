// Output, exit and close: pushed as notifications and read again.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';
const ours = 'this project: docs/differences.md';

export const PROCESS_OUTPUT = [
  {
    id: 'process.output.streams',
    source,
    behaviour: 'Output on pipes is labelled stdout or stderr, output on a pty is labelled pty.',
  },
  {
    id: 'process.output.exact-bytes',
    source,
    behaviour: 'Every byte value arrives as it was written, on both pipes.',
  },
  {
    id: 'process.output.bulk-pipe',
    source,
    behaviour: 'Megabytes from a command that exits at once arrive complete, on pipes.',
  },
  {
    id: 'process.output.bulk-pty',
    source,
    behaviour: 'Megabytes from a command that exits at once arrive complete, on a pty.',
  },
  {
    id: 'process.output.short-lived',
    source,
    behaviour: 'Many short commands lose nothing of their output, on pipes and ptys.',
  },
  { id: 'process.output.live', source, behaviour: 'Output is pushed while the command runs.' },
  { id: 'process.output.event-size', source, behaviour: 'No output event carries more than 1 MiB.' },
  {
    id: 'process.output.sequence',
    source,
    behaviour: 'Seqs start at 1 without a gap; exited and closed take one each, and closed takes the last.',
  },
  {
    id: 'process.output.wire-order',
    source: ours,
    behaviour:
      'Events arrive in the order of their seqs, and the reply to `process/start` comes before all of them.',
  },
  {
    id: 'process.output.after-exit',
    source,
    behaviour: 'Output of a background child after the command has exited is still delivered.',
    needs: ['shared-host'],
  },
  {
    id: 'process.exited.at-once',
    source,
    behaviour:
      'The exit is reported while a background child still holds the output, and the close when it lets go.',
    needs: ['shared-host'],
  },
  {
    id: 'process.exited.codes',
    source,
    behaviour: 'The exit code is that of the command, on pipes and ptys.',
  },
  { id: 'process.exited.signal-pipe', source, behaviour: 'Death by signal n is exit code 128 + n on pipes.' },
  {
    id: 'process.exited.signal-pty',
    source: ours,
    behaviour: 'Death by signal n is exit code 128 + n on a pty.',
  },
  {
    id: 'process.exited.not-denied',
    source,
    behaviour: 'Without a sandbox `sandboxDenied` is false, whatever the command says.',
  },
  { id: 'process.closed.once', source, behaviour: 'Exit and close are reported once each.' },
  {
    id: 'process.read.fields',
    source,
    behaviour: 'A read has chunks, nextSeq, exited, exitCode, closed, failure and sandboxDenied.',
  },
  {
    id: 'process.read.same-as-pushed',
    source,
    behaviour: 'Reading from the start gives the same seqs, streams and bytes as the notifications.',
  },
  { id: 'process.read.repeatable', source, behaviour: 'Reading takes nothing away.' },
  {
    id: 'process.read.after-seq',
    source,
    behaviour: 'Only chunks with a seq above `afterSeq` are returned.',
  },
  {
    id: 'process.read.max-bytes',
    source,
    behaviour: 'Chunks stop before `maxBytes` is exceeded, and `nextSeq` is then the last seq plus one.',
  },
  {
    id: 'process.read.first-chunk',
    source,
    behaviour: 'The first chunk is returned even when it is larger than `maxBytes`, which may be 0.',
  },
  {
    id: 'process.read.next-seq',
    source,
    behaviour: 'Without `maxBytes`, `nextSeq` is past the exit and the close.',
  },
  {
    id: 'process.read.no-wait',
    source,
    behaviour: 'Without `waitMs` a read with nothing to return answers at once.',
  },
  {
    id: 'process.read.wait-expires',
    source,
    behaviour: 'A read waits for `waitMs` when there is nothing, then answers with no chunks.',
  },
  { id: 'process.read.wait-output', source, behaviour: 'A waiting read answers when output arrives.' },
  { id: 'process.read.wait-exit', source, behaviour: 'A waiting read answers when the command exits.' },
  { id: 'process.read.closed', source, behaviour: 'A read of a closed process never waits.' },
  { id: 'process.read.future', source, behaviour: 'An `afterSeq` beyond the end returns no chunks.' },
  {
    id: 'process.read.largest-numbers',
    source,
    behaviour: '`afterSeq` and `maxBytes` may be as large as an unsigned 64-bit number.',
  },
  {
    id: 'process.read.unknown',
    source,
    behaviour: 'An unknown process is -32600 `unknown process id <id>`.',
  },
  {
    id: 'process.read.numbers',
    source,
    behaviour: 'Negative, fractional and too large numbers, and numbers as text, are -32602.',
  },
  {
    id: 'process.read.concurrent',
    source: ours,
    behaviour: 'A waiting read delays no other request of its connection.',
  },
  {
    id: 'process.read.nothing-omitted',
    source: ours,
    behaviour: '`omitted` is null or absent while nothing was dropped.',
    needs: ['extension:outputGapReport'],
  },
] as const satisfies readonly Requirement[];
