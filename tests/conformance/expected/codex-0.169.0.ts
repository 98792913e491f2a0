// What codex 0.169.0 does otherwise. Each entry is a difference that docs/differences.md describes.
import type { ExpectedDifference } from './expected-difference.js';

export const EXPECTED_OF_CODEX: readonly ExpectedDifference[] = [
  { id: 'session.notification.unknown', reason: 'drops the connection without a word' },
  { id: 'session.notification.request-method', reason: 'drops the connection without a word' },
  { id: 'session.response.stray', reason: 'drops the connection without a word' },
  {
    id: 'session.takeover.silent-holder',
    reason: 'never checks whether the holder lives: -32010 for as long as its socket is open',
  },
  {
    id: 'session.detach.plain-ends',
    reason: 'every session detaches for 80 s, also one whose client cannot come back',
  },
  { id: 'process.start.missing-cwd-pty', reason: 'starts the command in the home directory, silently' },
  { id: 'process.start.without-tty', reason: 'requires tty' },
  { id: 'process.start.equals-in-name', reason: 'passes such names on to the command' },
  { id: 'process.start.arg0-pty', reason: 'runs arg0 as the program' },
  {
    id: 'process.shell-snapshot.same-shell',
    reason:
      'starts a shell of level 2 that is no login shell and keeps exported variables, functions, aliases, options',
  },
  {
    id: 'process.shell-snapshot.changed-profile',
    reason: 'keeps the state for as long as the session lives',
  },
  {
    id: 'process.output.wire-order',
    reason: 'output and events may overtake each other and the reply; clients sort by seq',
    unreliable: true,
  },
  { id: 'process.exited.signal-pty', reason: 'reports 1 for every death by signal on a pty' },
  { id: 'process.terminate.exit-code-pty', reason: 'reports 1 for every death by signal on a pty' },
  {
    id: 'process.read.concurrent',
    reason: 'serves one request at a time: a long poll blocks the connection',
  },
  { id: 'process.write.without-write-id', reason: 'requires writeId' },
  { id: 'process.terminate.whole-tree', reason: 'kills the process group only' },
  { id: 'fs.writeFile.fifo', reason: 'waits for a reader and blocks the connection' },
  { id: 'fs.copy.onto-itself', reason: 'truncates the file' },
  { id: 'transport.upgrade.foreign-host', reason: 'does not look at the Host header' },
  { id: 'transport.frame.bad-utf8', reason: 'drops the connection without a close frame' },
  {
    id: 'transport.frame.oversize',
    reason: 'drops the connection without a close frame, and at 16 MiB for a single frame',
  },
  { id: 'transport.frame.oversize-announced', reason: 'drops the connection without a close frame' },
  { id: 'transport.frame.oversize-fragments', reason: 'drops the connection without a close frame' },
];
